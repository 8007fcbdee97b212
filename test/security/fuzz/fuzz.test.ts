import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openServer } from '../../kit/server.ts';
import { type ProofContext, proofTest, type Verdict } from '../../prove/proof.ts';
import { watchChanges } from './changes.ts';
import { operations } from './operations.ts';
import { type Planned, requests } from './requests.ts';
import { openSending } from './sending.ts';
import { isDisruptive, openWorld } from './world.ts';

/** The requests about the same Tenants, and about the same pages. */
const perWorld = 3_000;
const perPages = 500;
/** The requests sent at once, where most are refused. */
const perWindow = 32;
/** Further ones are of the same kind. */
const maximumViolations = 200;

// Wrong secrets are limited by address: each request has one of its own.
const config = { trustedProxies: ['127.0.0.1'] };
const server = await openServer({ workers: false, manual: true, config });
const changes = await watchChanges(server.owner);

async function prove({ seed, rounds, progress }: ProofContext): Promise<Verdict> {
  const world = await openWorld(server);
  const accepted = new Set<string>();
  let isScratchOver = false;
  const sending = openSending(server.baseUrl, seed, {
    take: changes.take,
    onReply({ operation, isBroken }, status, body) {
      if (isDisruptive(operation) && !isBroken && status >= 401) isScratchOver = true;
      if (status >= 400) return;
      accepted.add(`${operation.method} ${operation.path}`);
      world.note(operation, body);
    },
  });
  const { violations, figures } = sending;

  async function inWindows(planned: readonly Planned[], size: number): Promise<void> {
    for (let at = 0; at < planned.length; at += size)
      await sending.settle(planned.slice(at, at + size).map(world.resolve));
  }
  for (let done = 0; done < rounds && violations.length < maximumViolations; ) {
    const isNew = done % perWorld === 0;
    await (isNew ? world.renew() : world.refresh());
    if (isScratchOver) await world.renewScratch();
    isScratchOver = false;
    await changes.take();
    const numRuns = Math.min(perPages, rounds - done);
    const planned = fc.sample(requests, { seed: seed + done, numRuns });
    // Calls of a new world go one by one, so that what happens the first time alone is seen as well.
    const whole = planned.filter(({ isBroken }) => !isBroken);
    await inWindows(whole, isNew ? 1 : perWindow);
    const broken = planned.filter(({ isBroken }) => isBroken);
    await inWindows(broken, perWindow);
    done += numRuns;
    progress(done);
  }
  await sending.close();
  if (figures.changes === 0) violations.push('no change was seen, not even of accepted requests');
  if (figures.limited > rounds / 20) violations.push(`${figures.limited} were refused with 429`);
  return {
    rounds: figures.accepted + figures.refused,
    violations,
    figures: { operations: operations.length, answered: accepted.size, ...figures },
  };
}

proofTest(
  'no fuzzed request gets a 5xx or an unlisted reply, and a refused one changes nothing',
  1_000,
  prove,
);

test('every published operation and every one of the pages is fuzzed', () => {
  expect(operations.length).toBeGreaterThan(90);
});
