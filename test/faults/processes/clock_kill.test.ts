import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { clockKillProof } from './clock_kill.ts';

test('an advance whose process is killed half way is brought to its target by another, each job once', async () => {
  const seed = seedOf(process.env);
  const verdict = await clockKillProof.run({ seed, rounds: 1, progress: () => {} });
  expect(verdict.violations, `SEED=${seed}`).toEqual([]);
}, 120_000);
