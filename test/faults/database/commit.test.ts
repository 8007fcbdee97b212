import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { commitProof } from './commit.ts';

test('a COMMIT whose outcome is unknown is never refused falsely, and its key tells: one effect', async () => {
  const seed = seedOf(process.env);
  const verdict = await commitProof.run({ seed, rounds: 20, progress: () => {} });
  console.info(JSON.stringify(verdict));
  expect(verdict.violations, `SEED=${seed}`).toEqual([]);
}, 60_000);
