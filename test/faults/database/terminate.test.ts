import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { databaseTerminateProof } from './terminate.ts';

test('while the database ends its sessions at random no answer is wrong, and a retry finds one effect', async () => {
  const seed = seedOf(process.env);
  const verdict = await databaseTerminateProof.run({ seed, rounds: 30, progress: () => {} });
  expect(verdict.violations, `SEED=${seed}`).toEqual([]);
}, 120_000);
