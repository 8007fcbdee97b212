import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RunLoop, type RunLoopOptions, runLoop } from './run_loop.ts';

const forEver = 3_600_000;
const logged: { facts: object; message: string }[] = [];
const log = { error: (facts: object, message: string) => void logged.push({ facts, message }) };
const loops: RunLoop[] = [];

function openLoop(options: Partial<RunLoopOptions> & Pick<RunLoopOptions, 'turn'>): RunLoop {
  const loop = runLoop({ pauseMs: () => forEver, failure: 'the turn failed', log, ...options });
  loops.push(loop);
  return loop;
}

/** A loop that counts its turns; each sleeps for as long as `waits` says, then for ever. */
function countingLoop(waits: readonly number[], options: Partial<RunLoopOptions> = {}) {
  const counted = { turns: 0 };
  const loop = openLoop({
    turn: async () => {
      counted.turns += 1;
      return waits[counted.turns - 1];
    },
    ...options,
  });
  return { loop, counted };
}

/** Lets time pass: it is the test's own, so that no busy machine changes an order. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  vi.useRealTimers();
  logged.length = 0;
});

test('a loop that is started twice runs one turn at a time', async () => {
  const { loop, counted } = countingLoop([]);
  loop.start();
  loop.start();
  await pass(10);
  expect(counted.turns).toBe(1);
});

test('the next turn begins after the time that a turn returns, at once for 0', async () => {
  const { loop, counted } = countingLoop([0, 0, 5, forEver]);
  loop.start();
  await pass(50);
  expect(counted.turns).toBe(4);
});

test('a wake ends the sleep', async () => {
  const { loop, counted } = countingLoop([]);
  loop.start();
  await pass(5);
  loop.wake();
  await pass(5);
  expect(counted.turns).toBe(2);
});

test('a wake during a turn lets the next turn begin without sleep', async () => {
  let turns = 0;
  const loop = openLoop({
    turn: async () => {
      turns += 1;
      if (turns === 1) loop.wake();
      return undefined;
    },
  });
  loop.start();
  await pass(5);
  expect(turns).toBe(2);
});

test('a wake for later than the next planned turn changes nothing', async () => {
  const { loop, counted } = countingLoop([40, forEver]);
  loop.start();
  await pass(5);
  loop.wake(1_000);
  await pass(10);
  expect(counted.turns).toBe(1);
  loop.wake(1);
  await pass(10);
  expect(counted.turns).toBe(2);
});

test('the first turn begins after firstAfterMs', async () => {
  const { loop, counted } = countingLoop([], { firstAfterMs: 20 });
  loop.start();
  await pass(5);
  expect(counted.turns).toBe(0);
  await pass(40);
  expect(counted.turns).toBe(1);
});

test('a failed turn is logged without its message, and the loop goes on after the pause', async () => {
  let turns = 0;
  const loop = openLoop({
    turn: async () => {
      turns += 1;
      if (turns === 1) throw new TypeError('said by a person');
      return forEver;
    },
    pauseMs: () => 5,
  });
  loop.start();
  await pass(50);
  expect(turns).toBe(2);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({
    message: 'the turn failed',
    facts: { fault: { type: 'TypeError' } },
  });
  expect(JSON.stringify(logged)).not.toContain('said by a person');
});

test('a stop resolves when the turn under way has ended, and no turn follows', async () => {
  let turns = 0;
  let isOver = false;
  const loop = openLoop({
    turn: async () => {
      turns += 1;
      await pass(30);
      isOver = true;
      return 0;
    },
  });
  loop.start();
  await pass(5);
  expect(loop.stopping.aborted).toBe(false);
  const stopped = loop.stop();
  expect(loop.stopping.aborted).toBe(true);
  expect(isOver).toBe(false);
  await stopped;
  expect(isOver).toBe(true);
  await pass(10);
  expect(turns).toBe(1);
});

test('a stop before the first turn, or before the start, lets none begin', async () => {
  const waiting = countingLoop([], { firstAfterMs: forEver });
  waiting.loop.start();
  await waiting.loop.stop();
  const { loop, counted } = countingLoop([]);
  await loop.stop();
  loop.start();
  await pass(5);
  expect(waiting.counted.turns + counted.turns).toBe(0);
});
