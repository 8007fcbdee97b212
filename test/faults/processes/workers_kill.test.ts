import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { proveWorkers } from './workers_kill.ts';

test('of workers that are killed nothing is lost, and only what they had under way comes twice', async () => {
  const seed = seedOf(process.env);
  const context = { seed, rounds: 2, progress: () => {} };
  const verdict = await proveWorkers(context, { isInAHurry: true });
  expect(verdict.violations, `SEED=${seed}`).toEqual([]);
}, 240_000);
