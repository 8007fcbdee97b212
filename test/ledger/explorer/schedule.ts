import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../../kit/seed.ts';
import type { Gate } from './gate.ts';

type Side = 0 | 1;
const sides: readonly Side[] = [0, 1];

/** How two operations were interleaved. */
export interface Interleaving {
  /** The side that ran each statement: `a` or `b`. */
  readonly turns: string;
  /** Statements that waited for a lock of the other side. */
  readonly blocked: number;
  /** Times that each side waited for a lock of the other: PostgreSQL ends one of them. */
  readonly deadlocks: number;
}

/** The database backends that hold what the backend `pid` waits for. */
export type Blockers = (pid: number) => Promise<readonly number[]>;

const glanceMs = 2;
const patienceMs = 20_000;

/**
 * Draws whose turn it is where either side could go. Most runs stay with one side for a while, since
 * most defects need few changes at the right place.
 */
export function openTurns(choices: Choices): () => Side {
  const changePercent = choices.pick([50, 30, 20, 10, 5]);
  let isSecond = choices.percent(50);
  return () => {
    if (choices.percent(changePercent)) isSecond = !isSecond;
    return isSecond ? 1 : 0;
  };
}

/**
 * Runs two operations one statement at a time. Whether a side is blocked is asked of PostgreSQL and
 * not guessed from time, so that the same choices give the same interleaving.
 * @throws when neither side continues
 */
export async function interleave<T>(
  gates: readonly [Gate, Gate],
  operations: readonly [() => Promise<T>, () => Promise<T>],
  drawSide: () => Side,
  blockersOf: Blockers,
): Promise<Interleaving & { readonly outcomes: [T, T] }> {
  let wake = () => {};
  const news = () => wake();
  for (const gate of gates) gate.close(news);
  const hasEnded = [false, false];
  const runs = sides.map(async (side) => {
    try {
      return await operations[side]();
    } finally {
      hasEnded[side] = true;
      news();
    }
  });
  const ended = Promise.allSettled(runs);
  const isUnderWay = (side: Side) => gates[side].underWay() !== null;
  const isWaiting = (side: Side) => gates[side].waiting() > 0;
  const isSettled = (side: Side) => isWaiting(side) || isUnderWay(side) || hasEnded[side] === true;

  /** Resolves when something has happened, at the latest after `withinMs`. */
  const next = (withinMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function until(holds: () => boolean): Promise<void> {
    const late = performance.now() + patienceMs;
    while (!holds()) {
      if (performance.now() > late) throw new Error('neither operation continues');
      await next(patienceMs);
    }
  }

  /** Whether the statement of this side has ended; false when the other side blocks it. */
  async function hasLanded(side: Side, wasStuck: boolean): Promise<boolean> {
    const other = gates[side === 0 ? 1 : 0];
    for (let isFirst = true; ; isFirst = false) {
      // A statement that was just admitted mostly ends at once, and needs no question.
      if (!(wasStuck && isFirst)) await next(glanceMs);
      const pid = gates[side].underWay();
      if (pid === null) return true;
      const blockers = await blockersOf(pid);
      if (!isUnderWay(side)) return true;
      if (blockers.some((blocker) => other.pids.has(blocker))) return false;
    }
  }

  let turns = '';
  let blocked = 0;
  let deadlocks = 0;
  try {
    for (;;) {
      await until(() => sides.every(isSettled));
      const ready = sides.filter((side) => isWaiting(side) && !isUnderWay(side));
      const stuck = sides.filter(isUnderWay);
      const [first] = ready;
      if (first === undefined && stuck.length === 0) break;
      if (first === undefined) {
        deadlocks += 1;
        await until(() => !stuck.every(isUnderWay));
        continue;
      }
      const side = ready.length > 1 ? drawSide() : first;
      turns += side === 0 ? 'a' : 'b';
      gates[side].admit();
      if (!(await hasLanded(side, false))) blocked += 1;
      for (const waiting of stuck) await hasLanded(waiting, true);
    }
    const [one, two] = await Promise.all(runs);
    return { outcomes: [one as T, two as T], turns, blocked, deadlocks };
  } finally {
    for (const gate of gates) gate.open();
    await Promise.race([ended, sleep(patienceMs, null, { ref: false })]);
  }
}
