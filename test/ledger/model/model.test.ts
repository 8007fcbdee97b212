import { expect, test } from 'vitest';
import { seedOf } from '../../kit/seed.ts';
import { proofTest } from '../../prove/proof.ts';
import { playModel, proveModel } from './run.ts';

const seed = seedOf(process.env);
const operations = Number(process.env.STEPS ?? 20_000);
/** Looks at one tenant of a run that failed. */
const life = process.env.LIFE === undefined ? {} : { life: Number(process.env.LIFE) };
const modelMs = 600_000;

/** Told now and then: a run of minutes that says nothing looks like one that hangs. */
function openProgress(): (done: number) => void {
  let last = 0;
  return (done) => {
    if (!process.env.FIGURES || done < last + 1_000) return;
    last = done;
    console.log(done);
  };
}

async function expectModel(rounds: number, faults: number): Promise<void> {
  const began = performance.now();
  const run = await playModel({ seed, rounds, faults, progress: openProgress(), ...life });
  if (process.env.FIGURES) console.log(run.rounds, run.figures, performance.now() - began);
  expect(run.violations).toEqual([]);
  if (life.life === undefined) expect(run.rounds).toBeGreaterThanOrEqual(rounds);
}

test(
  `${operations} random operations of many tenants over HTTP do to replies, balances, versions and events what the model says, and all ends (SEED=${seed})`,
  () => expectModel(operations, 0),
  modelMs,
);

test(
  `so do operations on two services whose connections, backends and workers end again and again (SEED=${seed})`,
  () => expectModel(operations / 20, Math.ceil(operations / 1_000)),
  modelMs,
);

// The tests above do the same with fewer operations.
if (process.env.PROOF_RESULT)
  proofTest('random operations do what the model says while faults are caused', 1, proveModel);
