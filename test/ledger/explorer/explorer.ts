import { choicesOf } from '../../kit/seed.ts';
import type { Proof, ProofContext, Verdict } from '../../prove/proof.ts';
import { type Act, type Cast, openActor, openStage, type Scene } from './actor.ts';
import { drain } from './drain.ts';
import type { Rewrite } from './gate.ts';
import { canonical, endsOf, namesOf } from './results.ts';
import { scenes } from './scenarios/all.ts';
import { type Course, interleave, openTurns } from './schedule.ts';
import { type Block, type Lane, startExplorerServer } from './server.ts';

/** Two operations of one scene; each may be the other. */
export interface Pair {
  /** `scene: one x other`; replays it. */
  readonly name: string;
  readonly scene: Scene;
  readonly acts: readonly [Act<Cast>, Act<Cast>];
}

/** Every operation of every scene with itself and with each that follows. */
export const pairs: readonly Pair[] = scenes.flatMap((scene) => {
  const acts = Object.entries(scene.acts);
  return acts.flatMap(([one, first], index) =>
    acts.slice(index).map(
      ([other, second]): Pair => ({
        name: `${scene.name}: ${one} x ${other}`,
        scene,
        acts: [first, second],
      }),
    ),
  );
});

/** What came of two operations: their replies, and the end of all records around them. */
interface Whole {
  readonly replies: readonly [string, string];
  readonly end: readonly string[];
}

/** What is known of one pair. */
interface Explored {
  readonly courses: readonly Course[];
  readonly reruns: number;
  readonly violations: readonly string[];
}

/** A reply or a refusal as it is compared. */
async function toldOf(act: Promise<unknown>, cast: Cast): Promise<string> {
  try {
    const told = (await act) as { code: string; text?: string; refusal?: string };
    return canonical(`${told.code} ${told.text ?? told.refusal ?? ''}`, namesOf(cast));
  } catch (error) {
    return `fault: ${(error as Error).message}`;
  }
}

const textOf = ({ replies, end }: Whole): string => [...replies, ...end].join('\n');

/** What no order may bring: a fault of ours, or versions with a gap. */
const isBroken = ({ replies, end }: Whole): boolean =>
  replies.some((reply) => reply.startsWith('fault')) ||
  end.some((line) => line.startsWith('broken'));

/** The lines in which an end differs from another. */
function difference(is: Whole, other: Whole): string {
  const lines = (whole: Whole) => [...whole.replies, ...whole.end];
  const only = (mark: string, these: readonly string[], those: readonly string[]) => {
    const rest = [...those];
    return these.flatMap((line) => {
      const at = rest.indexOf(line);
      if (at < 0) return [`    ${mark} ${line}`];
      rest.splice(at, 1);
      return [];
    });
  };
  return [...only('+', lines(is), lines(other)), ...only('-', lines(other), lines(is))].join('\n');
}

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** One then the other, the other then one, and each around the other where it is a claimed job. */
const orders = 4;

/**
 * Plays one pair: once in each order, one after the other, and so many times interleaved, each on
 * records of its own. Whatever came of an interleaving must be what came of one of the orders.
 */
export async function explorePair(
  block: Block,
  { services, gates }: Lane,
  { name, scene, acts }: Pair,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<Explored> {
  const tenantId = await block.openTenant(scene);
  const stage = openStage(block.base, tenantId);
  const actors = [openActor(services[0], tenantId), openActor(services[1], tenantId)] as const;
  const casts = await times(count + orders, () => scene.build(stage));
  if (!scene.isFresh) await drain(block, stage, casts);
  if (scene.lateSeconds) await block.advance(tenantId, scene.lateSeconds);

  const [ab, ba, claimedFirst, claimedLast, ...others] = casts;
  if (!ab || !ba || !claimedFirst || !claimedLast) throw new Error('a pair needs all orders');
  const act = (side: 0 | 1, cast: Cast) => toldOf(acts[side](actors[side], cast), cast);
  /** A job that a worker has claimed may run after the other: what that made due stays due. */
  async function around(side: 0 | 1, cast: Cast): Promise<[string, string]> {
    let other: string | null = null;
    const between = async () => {
      other ??= await act(side === 0 ? 1 : 0, cast);
    };
    const actor = openActor(services[side], tenantId, between);
    const own = await toldOf(acts[side](actor, cast), cast);
    await between();
    return side === 0 ? [own, String(other)] : [String(other), own];
  }
  const replies: [string, string][] = [];
  replies.push([await act(0, ab), await act(1, ab)]);
  const second = await act(1, ba);
  replies.push([await act(0, ba), second]);
  replies.push(await around(0, claimedFirst), await around(1, claimedLast));

  const courses: Course[] = [];
  const rerunsOf = () => services.reduce((sum, { engine }) => sum + engine.stats.reruns, 0);
  const before = rerunsOf();
  for (const [index, cast] of others.entries()) {
    const turns = openTurns(choicesOf(seed, `${name} ${index}`));
    const operations = [() => act(0, cast), () => act(1, cast)] as const;
    const { outcomes, course } = await interleave(gates, operations, turns, block.blockersOf);
    replies.push(outcomes);
    courses.push(course);
  }
  const reruns = rerunsOf() - before;

  await drain(block, stage, casts);
  const ends = await endsOf(stage, casts);
  const wholes = replies.map((told, index): Whole => ({ replies: told, end: ends[index] ?? [] }));
  const [allInTurn, played] = [wholes.slice(0, orders), wholes.slice(orders)];
  const [first, last] = allInTurn;
  if (!first || !last) throw new Error('a pair has both orders');
  const allowed = new Set(allInTurn.map(textOf));
  const violations = played.flatMap((whole, index) => {
    if (allowed.has(textOf(whole)) && !isBroken(whole)) return [];
    return [
      `SEED=${seed} PAIR="${name}" interleaving ${index}, turns ${courses[index]?.turns}\n` +
        `  replies: ${whole.replies.join(' | ')}\n` +
        `  against one then the other:\n${difference(whole, first)}\n` +
        `  against the other then one:\n${difference(whole, last)}`,
    ];
  });
  for (const whole of allInTurn)
    if (isBroken(whole))
      violations.push(`SEED=${seed} PAIR="${name}", one after the other: ${textOf(whole)}`);
  return { courses, reruns, violations };
}

/** The book of a block is proven after so many interleavings. */
const blockRounds = 500;
const lanesAtOnce = 3;
const interleavingsOfPair = 10;

/** Which pairs are played, how often each: all of them, or of few rounds a sample. */
function planOf(seed: number, rounds: number) {
  const share = Math.ceil(rounds / pairs.length);
  const count = share * 2 > interleavingsOfPair ? share : interleavingsOfPair;
  const chosen = choicesOf(seed, 'pairs').shuffle(pairs);
  return { count, chosen: chosen.slice(0, Math.ceil(rounds / count)) };
}

/** Plays pairs in every lane at once until none is left. */
async function exploreBlock(
  block: Block,
  chosen: readonly Pair[],
  how: { readonly seed: number; readonly count: number },
  onPair: (pair: Pair, explored: Explored) => void,
): Promise<void> {
  const rest = [...chosen];
  const play = async (lane: Lane) => {
    for (let pair = rest.pop(); pair; pair = rest.pop()) {
      const { name } = pair;
      const explored = explorePair(block, lane, pair, how).catch((cause: Error) => {
        throw new Error(`SEED=${how.seed} PAIR="${name}": ${cause.message}`, { cause });
      });
      onPair(pair, await explored);
    }
  };
  await Promise.all(block.lanes.map(play));
}

export interface How {
  readonly seed: number;
  /** Interleavings of each pair. */
  readonly count: number;
  readonly progress?: (done: number) => void;
  /** Breaks what the services send; a test sees then that it is found. */
  readonly rewrite?: Rewrite;
}

/** Plays these pairs, each so often, and proves the whole book after every 500 interleavings. */
export async function explore(
  chosen: readonly Pair[],
  { progress = () => {}, rewrite, ...how }: How,
): Promise<Verdict> {
  const violations: string[] = [];
  const schedules = new Set<string>();
  const sum = { interleavings: 0, reruns: 0, blocked: 0, deadlocks: 0 };
  const onPair = ({ name }: Pair, { courses, reruns, violations: found }: Explored) => {
    for (const { turns, blocked, deadlocks } of courses) {
      schedules.add(`${name} ${turns}`);
      sum.blocked += blocked;
      sum.deadlocks += deadlocks;
    }
    sum.interleavings += courses.length;
    sum.reruns += reruns;
    violations.push(...found);
    progress(sum.interleavings);
  };
  const server = await startExplorerServer();
  const pairsOfBlock = Math.max(1, Math.floor(blockRounds / how.count));
  try {
    for (let at = 0; at < chosen.length; at += pairsOfBlock) {
      const block = await server.openBlock(Math.min(lanesAtOnce, chosen.length), rewrite);
      await exploreBlock(block, chosen.slice(at, at + pairsOfBlock), how, onPair);
      violations.push(...block.faults, ...(await block.close()));
    }
  } finally {
    await server.stop();
  }
  const figures = { pairs: chosen.length, schedules: schedules.size, ...sum };
  return { rounds: sum.interleavings, violations, figures };
}

export const explorerProof: Proof = {
  key: 'explorer',
  fault: 'two operations on one record in two processes, statement by statement in random order',
  promise: 'what comes of them is what comes of one order or the other',
  rounds: 20_000,
  run: ({ seed, rounds, progress }: ProofContext) => {
    const { count, chosen } = planOf(seed, rounds);
    return explore(chosen, { seed, count, progress });
  },
};
