import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../../kit/seed.ts';
import type { Gate } from './gate.ts';

/** Two operations, side by side. */
export type Side = 0 | 1;
const sides: readonly Side[] = [0, 1];

/** How two operations were interleaved. */
export interface Course {
  /** Whose statement went, one letter each: `a` or `b`. */
  readonly turns: string;
  /** Statements that waited for a lock of the other side. */
  readonly blocked: number;
  /** Times that each side waited for a lock of the other: PostgreSQL ends one of them. */
  readonly deadlocks: number;
}

/** Tells which processes of the server hold what the process `pid` waits for. */
export type Blockers = (pid: number) => Promise<readonly number[]>;

const glanceMs = 2;
const patienceMs = 20_000;

/**
 * Whose turn it is where either could go. A third of the races draws for each statement; the others
 * stay with one side for a while, since what goes wrong mostly needs few changes at the right place.
 */
export function openTurns(choices: Choices): () => boolean {
  const changePercent = choices.pick([50, 30, 20, 10, 5]);
  let isSecond = choices.percent(50);
  return () => {
    if (choices.percent(changePercent)) isSecond = !isSecond;
    return isSecond;
  };
}

/**
 * Runs two operations whose statements wait at their gates, one statement at a time. Whether a side
 * is blocked is asked of PostgreSQL and never guessed from time, so that the same choices give the
 * same course.
 * @param second draws whose turn it is, where both could go: true for the second
 * @throws when neither side goes on
 */
export async function interleave<T>(
  gates: readonly [Gate, Gate],
  operations: readonly [() => Promise<T>, () => Promise<T>],
  second: () => boolean,
  blockersOf: Blockers,
): Promise<{ readonly outcomes: [T, T]; readonly course: Course }> {
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
  const isIdle = (side: Side) => gates[side].waiting() === 0 && gates[side].underWay() === null;
  const isAtWork = (side: Side) => isIdle(side) && !hasEnded[side];

  /** Resolves when something has happened since, at the latest after so long. */
  const next = (within: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, within);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function until(holds: () => boolean): Promise<void> {
    const late = performance.now() + patienceMs;
    while (!holds()) {
      if (performance.now() > late) throw new Error('neither operation goes on');
      await next(patienceMs);
    }
  }

  /** Whether what this side has under way has landed; false when the other holds it up. */
  async function landed(side: Side, wasStuck: boolean): Promise<boolean> {
    const other = gates[side === 0 ? 1 : 0];
    for (let isFirst = true; ; isFirst = false) {
      // What has just been let through mostly lands at once, and needs no question.
      if (!(wasStuck && isFirst)) await next(glanceMs);
      const pid = gates[side].underWay();
      if (pid === null) return true;
      const blockers = await blockersOf(pid);
      if (gates[side].underWay() === null) return true;
      if (blockers.some((blocker) => other.pids.has(blocker))) return false;
    }
  }

  let turns = '';
  let blocked = 0;
  let deadlocks = 0;
  try {
    for (;;) {
      await until(() => !sides.some(isAtWork));
      const ready = sides.filter(
        (side) => gates[side].waiting() > 0 && gates[side].underWay() === null,
      );
      const stuck = sides.filter((side) => gates[side].underWay() !== null);
      const [first] = ready;
      if (first === undefined && stuck.length === 0) break;
      if (first === undefined) {
        deadlocks += 1;
        await until(() => stuck.some((side) => gates[side].underWay() === null));
        continue;
      }
      const side = ready.length > 1 ? (second() ? 1 : 0) : first;
      turns += side === 0 ? 'a' : 'b';
      gates[side].admit();
      if (!(await landed(side, false))) blocked += 1;
      for (const waiting of stuck) await landed(waiting, true);
    }
    const [one, two] = await Promise.all(runs);
    return { outcomes: [one as T, two as T], course: { turns, blocked, deadlocks } };
  } finally {
    for (const gate of gates) gate.open();
    await Promise.race([ended, sleep(patienceMs, null, { ref: false })]);
  }
}
