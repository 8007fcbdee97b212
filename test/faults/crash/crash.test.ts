import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { crashProof } from './proof.ts';

test('a service that is killed at any statement leaves an operation done once, or not at all until it is asked again', async () => {
  const seed = seedOf(process.env);
  const verdict = await crashProof.run({ seed, rounds: 12, progress: () => {} });
  console.info(JSON.stringify(verdict.figures));
  expect(verdict.violations, `SEED=${seed}`).toEqual([]);
}, 180_000);
