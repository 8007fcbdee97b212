import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { databaseKillProof } from './kill.ts';

test('of a database that is killed under load nothing acknowledged is lost and nothing is applied twice', async () => {
  const seed = seedOf(process.env);
  const verdict = await databaseKillProof.run({ seed, rounds: 2, progress: () => {} });
  expect(verdict.violations, `SEED=${seed}`).toEqual([]);
}, 120_000);
