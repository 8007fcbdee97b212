import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { workersPeriodsProof } from './workers_periods.ts';

test('of three workers on the same calendars every job of every day is done exactly once', async () => {
  const seed = seedOf(process.env);
  const verdict = await workersPeriodsProof.run({ seed, rounds: 20, progress: () => {} });
  expect(verdict.violations, `SEED=${seed}`).toEqual([]);
}, 120_000);
