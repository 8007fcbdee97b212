import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '../service.ts';
import { beginRestore, openRestoreOf } from './begin.ts';
import { holdTenants, releaseTenants } from './hold.ts';
import type { RestoreCause, RestoreRow } from './table.ts';
import { beat, enterTimeline, findRestore, tellsTimeline, type Witness } from './timeline.ts';

const usualPauseMs = 1_000;
/** The alarm of a restore under way is raised again after so long. */
const alarmEveryMs = 3_600_000;

type Parts = Pick<Service, 'pool' | 'control' | 'clocks' | 'log'>;

const underWay = 'the database was restored: orders, messages and events are held';

/** Begins a restore that nobody has said, and holds the Tenants of this cell. */
async function begin({ pool, control, clocks }: Parts, cause: RestoreCause): Promise<RestoreRow> {
  const now = instantOf(clocks.realNow());
  const row = await beginRestore(control, { cause, restoredTo: null, by: 'service', now });
  await holdTenants(pool, row.version_floor);
  return row;
}

/**
 * To be called before anything leaves a process that starts: whether the database was restored since the last
 * one ran (rules/restore#6).
 */
export async function proveTimeline(parts: Parts): Promise<void> {
  const { pool, control, log } = parts;
  const found = (await tellsTimeline(pool)) ? await findRestore(pool) : null;
  if (found === 'moved')
    log.warn(
      { alarm: 'timeline' },
      'the database goes on from a promotion or a restore; if it was a restore, run `restore begin`',
    );
  else if (found !== null) await begin(parts, found);
  if (found !== null) await enterTimeline(pool);
  const open = await openRestoreOf(control);
  if (open) await holdTenants(pool, open.version_floor);
}

/** Keeps what this process holds as the restore under way wants it, and finds what the database has forgotten. */
export interface RestoreWatch {
  start(): void;
  stop(): Promise<void>;
  /** One look, which the loop makes each second. */
  look(): Promise<void>;
}

/** The watch of a cell in one process. */
export function openRestoreWatch(parts: Parts, pauseMs = usualPauseMs): RestoreWatch {
  const { pool, control, clocks, log } = parts;
  let witness: Witness | null = null;
  let tells: boolean | null = null;
  let toldMs = Number.NEGATIVE_INFINITY;

  /** That the database has what it has acknowledged to this process. */
  async function prove(): Promise<void> {
    const said = await beat(pool, witness);
    witness = said.witness;
    if (!said.hasLost) return;
    await begin(parts, 'lost_writes');
    await enterTimeline(pool);
  }

  async function look(): Promise<void> {
    tells ??= await tellsTimeline(pool);
    if (tells) await prove();
    const open = await openRestoreOf(control);
    if (!open) {
      toldMs = Number.NEGATIVE_INFINITY;
      return releaseTenants(pool);
    }
    await holdTenants(pool, open.version_floor);
    if (clocks.realNow() - toldMs < alarmEveryMs) return;
    toldMs = clocks.realNow();
    log.error({ alarm: 'restore', id: open.id, cause: open.cause }, underWay);
  }

  const loop = runLoop({
    pauseMs: () => pauseMs,
    async turn() {
      await look().catch((error: unknown) =>
        log.warn({ fault: faultFacts(error) }, 'a restore cannot be looked for'),
      );
      return undefined;
    },
    failure: 'a restore cannot be looked for',
    log,
  });
  return { start: loop.start, stop: loop.stop, look };
}
