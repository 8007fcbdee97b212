import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { proofTest } from '../../prove/proof.ts';
import { faultsIn, playModel } from './play.ts';

/** `TENANT` repeats the tenant that a violation names, with the `SEED` beside it. */
const { TENANT, STEPS = '2000', FIGURES } = process.env;
const only = TENANT === undefined ? {} : { only: Number(TENANT) };
const operations = Number(STEPS);
const seed = seedOf(process.env);

test(`${operations} random operations of many tenants over HTTP have the replies, balances, versions and events that the model predicts, and all of them end (SEED=${seed})`, async () => {
  const began = performance.now();
  const run = await playModel({ seed, rounds: operations, faults: 0, progress() {}, ...only });
  if (FIGURES) console.log(run.rounds, run.figures, performance.now() - began);
  expect(run.violations).toEqual([]);
  if (TENANT === undefined) expect(run.rounds).toBeGreaterThanOrEqual(operations);
}, 600_000);

proofTest(
  'so have operations on two services while connections, backends, leases and workers are lost',
  operations / 20,
  (context) => playModel({ ...context, faults: faultsIn(context.rounds), ...only }),
);
