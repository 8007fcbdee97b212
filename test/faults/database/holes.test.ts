import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { databaseHolesProof } from './holes.ts';

test('where half of the connections to the database go silent every request is answered within 10 s, and no dead client is kept', async () => {
  const seed = seedOf(process.env);
  const verdict = await databaseHolesProof.run({ seed, rounds: 1, progress: () => {} });
  expect(verdict.violations, `SEED=${seed}`).toEqual([]);
}, 120_000);
