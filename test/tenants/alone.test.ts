import { expect, test } from 'vitest';
import { seedOf } from '../kit/seed.ts';
import { aloneProof } from './alone.ts';

const seed = seedOf(process.env);
const rounds = Number(process.env.ROUNDS ?? 600);

test(`${rounds} operations of five tenants at once are what each tenant's are alone (SEED=${seed})`, {
  timeout: 120_000,
}, async () => {
  const { violations, rounds: done } = await aloneProof.run({ seed, rounds, progress: () => {} });
  expect(violations).toEqual([]);
  expect(done).toBe(rounds);
});
