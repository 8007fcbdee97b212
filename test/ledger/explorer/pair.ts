import { choicesOf } from '../../kit/seed.ts';
import { until } from '../../kit/wait.ts';
import { type Actor, jobNames, openActor, perform, setUp } from './actor.ts';
import type { Records } from './records.ts';
import { canonical, namesOf, resultsOf } from './results.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { type Interleaving, interleave, openTurns } from './schedule.ts';
import type { Block, Lane } from './server.ts';

/** Two operations of one scenario, which may be the same. */
export interface Pair {
  /** `scenario: one x other`; `PAIR` repeats it. */
  readonly name: string;
  readonly scenario: Scenario;
  readonly operations: readonly [string, string];
}

/** The findings on a pair after its interleavings. */
export interface Explored {
  readonly interleavings: readonly Interleaving[];
  readonly reruns: number;
  readonly violations: readonly string[];
}

/** The lines of a run: both replies, and what the run has left in the database. */
type Lines = readonly string[];

async function replyOf(operation: Promise<unknown>, records: Records): Promise<string> {
  try {
    const { code, text, refusal } = (await operation) as Readonly<Record<string, string>>;
    return canonical(`${code} ${text ?? refusal ?? ''}`, namesOf(records));
  } catch (error) {
    return `fault: ${(error as Error).message}`;
  }
}

/** An error of the service, or a gap in versions: no order allows it. */
const isBroken = (lines: Lines): boolean => lines.some((line) => /^(?:fault|broken)/.test(line));

/** The lines in which a run differs from another. */
function difference(run: Lines, other: Lines): string {
  const only = (mark: string, these: Lines, those: Lines) => {
    const rest = [...those];
    return these.flatMap((line) => {
      const at = rest.indexOf(line);
      if (at < 0) return [`    ${mark} ${line}`];
      rest.splice(at, 1);
      return [];
    });
  };
  return [...only('+', run, other), ...only('-', other, run)].join('\n');
}

interface Job {
  readonly name: string;
  readonly ref: string;
}

/**
 * Runs the due jobs of these runs, and what they schedule, until none is due. The order of jobs that
 * are due at once is free and changes results, so here it is the order of their names.
 */
async function runDueJobs(block: Block, actor: Actor, tenantId: string, runs: readonly Records[]) {
  const names = new Map(runs.flatMap((records) => [...namesOf(records)]));
  const ownerOf = ({ ref }: Job) => names.get(ref) ?? '~';
  const dueOf = (known: readonly string[] | null) =>
    actor.query<Job>(
      `select name, ref from jobs where tenant_id = $1 and wake_at <= $2
         and ($3::text[] is null or name = any($3)) order by name, ref`,
      block.now(),
      known,
    );
  async function runNext(): Promise<boolean> {
    const due = await dueOf(jobNames);
    const next = due.filter(({ name }) => name === due[0]?.name);
    for (const owner of [...new Set(next.map(ownerOf))].sort())
      await Promise.all(
        next
          .filter((job) => ownerOf(job) === owner)
          .map(({ name, ref }) => actor.runJob(name, ref)),
      );
    if (next.length > 0) return false;
    if ((await dueOf(null)).length === 0) return true;
    await block.runJobs(tenantId);
    return false;
  }
  await until(runNext, { what: 'the end of all due jobs', withinMs: 30_000, everyMs: 0 });
}

/** One then the other, the other then one, and each around the other where it is a claimed job. */
const orders = 4;

/**
 * Runs one pair in each order, one operation after the other, and `count` times interleaved, each on
 * records of its own. An interleaving must have the result of one of the orders.
 */
export async function explorePair(
  block: Block,
  { services, gates }: Lane,
  { name, scenario, operations }: Pair,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<Explored> {
  const tenantId = await block.openTenant(scenario);
  const base = openActor(block.base, tenantId);
  const runs = await Promise.all(
    Array.from({ length: count + orders }, () => setUp(base, scenario.setup)),
  );
  if (!scenario.keepsJobs) await runDueJobs(block, base, tenantId, runs);
  if (scenario.lateSeconds) await block.advance(tenantId, scenario.lateSeconds);

  const act = (side: 0 | 1, records: Records, claimed?: () => Promise<void>) => {
    const actor = openActor(services[side], tenantId, claimed ? { claimed } : {});
    return replyOf(perform(actor, records, operations[side]), records);
  };
  /** A job that a worker has claimed may run after the other operation. */
  async function around(side: 0 | 1, records: Records): Promise<[string, string]> {
    const otherSide = side === 0 ? 1 : 0;
    let other: string | undefined;
    const between = async () => {
      other ??= await act(otherSide, records);
    };
    const own = await act(side, records, between);
    await between();
    return side === 0 ? [own, String(other)] : [String(other), own];
  }
  const [ab = {}, ba = {}, claimedFirst = {}, claimedLast = {}, ...others] = runs;
  const replies: [string, string][] = [[await act(0, ab), await act(1, ab)]];
  const second = await act(1, ba);
  replies.push([await act(0, ba), second]);
  replies.push(await around(0, claimedFirst), await around(1, claimedLast));

  const interleavings: Interleaving[] = [];
  const rerunsOf = () => services.reduce((sum, { engine }) => sum + engine.stats.reruns, 0);
  const before = rerunsOf();
  for (const [index, records] of others.entries()) {
    const turns = openTurns(choicesOf(seed, `${name} ${index}`));
    const sides = [() => act(0, records), () => act(1, records)] as const;
    const { outcomes, ...how } = await interleave(gates, sides, turns, block.blockersOf);
    replies.push(outcomes);
    interleavings.push(how);
  }
  const reruns = rerunsOf() - before;

  await runDueJobs(block, base, tenantId, runs);
  const left = await resultsOf(base.query, runs);
  const lines = replies.map((both, index): Lines => [...both, ...(left[index] ?? [])]);
  const [inTurn, played] = [lines.slice(0, orders), lines.slice(orders)];
  const [first = [], last = []] = inTurn;
  const allowed = new Set(inTurn.map((run) => run.join('\n')));
  const where = `SEED=${seed} PAIR="${name}"`;
  const violations = played.flatMap((run, index) =>
    allowed.has(run.join('\n')) && !isBroken(run)
      ? []
      : `${where} interleaving ${index}, turns ${interleavings[index]?.turns}\n` +
        `  replies: ${run.slice(0, 2).join(' | ')}\n` +
        `  against one then the other:\n${difference(run, first)}\n` +
        `  against the other then one:\n${difference(run, last)}`,
  );
  for (const run of inTurn.filter(isBroken))
    violations.push(`${where}, one after the other: ${run.join('\n')}`);
  return { interleavings, reruns, violations };
}
