import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOf } from '../../test/kit/seed.ts';
import { openDatabaseClock } from './database_clock.ts';

/** A world whose true time is `trueMs`, with a machine that is ahead of it. */
function openWorld(aheadMs: number) {
  const world = { trueMs: 1_700_000_000_000, aheadMs };
  const began = world.trueMs;
  const clock = openDatabaseClock(
    () => world.trueMs + world.aheadMs,
    () => world.trueMs - began,
  );
  /** Asks over a network that takes so long there and back. */
  const measure = (thereMs: number, backMs: number) =>
    clock.measure(async () => {
      world.trueMs += thereMs;
      const at = world.trueMs;
      world.trueMs += backMs;
      return at;
    }, Number);
  return { world, clock, measure };
}

test('a process whose machine is 90 s off has the time of the database, and knows the difference', async () => {
  for (const ahead of [90_000, -90_000]) {
    const { world, clock, measure } = openWorld(ahead);
    expect(clock.now()).toBe(world.trueMs + ahead);
    await measure(0, 0);
    expect([clock.now(), clock.aheadMs()]).toEqual([world.trueMs, ahead]);
  }
});

test('on a machine whose clock is right a slow answer changes nothing', async () => {
  const { world, clock, measure } = openWorld(0);
  await measure(0, 600);
  await measure(600, 0);
  expect([clock.now(), clock.aheadMs()]).toEqual([world.trueMs, 0]);
});

test('a machine whose time is cut off to milliseconds is taken for right', async () => {
  const { world, clock, measure } = openWorld(-0.9);
  // Its connection took 40 ms, and the answer no time.
  await measure(40, 0);
  expect(world.trueMs - clock.now()).toBeLessThanOrEqual(1);
  expect(clock.now()).toBeLessThanOrEqual(world.trueMs);
});

test('a clock that is set forth while the process runs moves nothing', async () => {
  const { world, clock, measure } = openWorld(0);
  await measure(1, 1);
  world.aheadMs = 3_600_000;
  world.trueMs += 5;
  expect([clock.now(), clock.aheadMs()]).toEqual([world.trueMs, 3_600_000]);
});

test('after any answers the clock is off by no more than the quickest of them took', async () => {
  const ms = fc.integer({ min: 0, max: 500 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -100_000, max: 100_000 }),
      fc.array(fc.tuple(ms, ms), { minLength: 1, maxLength: 8 }),
      async (ahead, delays) => {
        const { world, clock, measure } = openWorld(ahead);
        for (const [there, back] of delays) await measure(there, back);
        const quickest = Math.min(...delays.map(([there, back]) => there + back));
        expect(Math.abs(clock.now() - world.trueMs)).toBeLessThanOrEqual(quickest);
      },
    ),
    { seed: seedOf(process.env) },
  );
});
