import { expect, test } from 'vitest';
import { seedOf } from '../../../kit/seed.ts';
import { proofTest } from '../../../prove/proof.ts';
import { playModel } from '../play.ts';

/** `TENANT` repeats the tenant that a violation names, with the `SEED` beside it; `STEPS` says how many operations. */
const { TENANT, STEPS = '2000', FIGURES } = process.env;
const only = TENANT === undefined ? {} : { only: Number(TENANT) };
const operations = Number(STEPS);
const seed = seedOf(process.env);

test(`at every quiet moment of ${operations} random operations the ledger's cash is what the bank, in a process of its own, holds for the customers, and all else is as the model predicts (SEED=${seed})`, async () => {
  const began = performance.now();
  const play = { seed, rounds: operations, faults: 0, isBank: true, progress() {}, ...only };
  const run = await playModel(play);
  if (FIGURES) console.log(run.rounds, run.figures, performance.now() - began);
  expect(run.violations).toEqual([]);
  expect(run.figures?.quiet).toBeGreaterThan(0);
  if (TENANT === undefined) expect(run.rounds).toBeGreaterThanOrEqual(operations);
}, 1_800_000);

proofTest('so it is in many more', operations / 20, (context) =>
  playModel({ ...context, faults: 0, isBank: true, ...only }),
);
