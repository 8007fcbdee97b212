import { type Cast, jobNames, type Stage } from './actor.ts';
import { namesOf } from './results.ts';
import type { Block } from './server.ts';

interface DueJob {
  readonly name: string;
  readonly ref: string;
}

const patienceMs = 30_000;

/**
 * Runs what is due of these scenes, and what that brings, until nothing is. Rows that are due at the
 * same time may be run in any order, and some orders end otherwise than others: a refund that is paid
 * before or after a payout. So they are run in one order here, that of their names, or two scenes of
 * the same course could end unalike.
 */
export async function drain(block: Block, stage: Stage, casts: readonly Cast[]): Promise<void> {
  const names = new Map(casts.flatMap((cast) => [...namesOf(cast)]));
  const place = ({ ref }: DueJob) => names.get(ref) ?? '~';
  const { query, tenantId } = stage;
  const dueOf = (names: readonly string[] | null) =>
    query<DueJob>(
      `select name, ref from jobs where tenant_id = $1 and wake_at <= $2
         and ($3::text[] is null or name = any($3)) order by name, ref`,
      block.now(),
      names,
    );
  const late = performance.now() + patienceMs;
  for (;;) {
    const ordered = await dueOf(jobNames);
    const [first] = ordered;
    if (first) {
      const group = ordered.filter(({ name }) => name === first.name);
      for (const owner of [...new Set(group.map(place))].sort())
        await Promise.all(
          group
            .filter((due) => place(due) === owner)
            .map(({ name, ref }) => stage.runJob(name, ref)),
        );
    } else if ((await dueOf(null)).length === 0) return;
    else await block.runOthers(tenantId);
    if (performance.now() > late) throw new Error(`still due: ${JSON.stringify(ordered)}`);
  }
}
