import { setTimeout as sleep } from 'node:timers/promises';
import { choicesOf } from '../../kit/seed.ts';
import type { Proof } from '../../prove/proof.ts';
import { type BlackHoleProxy, startBlackHoleProxy } from './black_hole_proxy.ts';
import { type Load, startLoad } from './load.ts';
import { openDatabaseHouse } from './service.ts';

const share = 50;
const holeMs = 4_000;
/** Every request has an answer within this (reliability F6). */
const deadlineMs = 10_000;
/** Full recovery after the network has healed. */
const wellWithinMs = 15_000;
/** It is well when no request has missed for so long and nobody holds a dead connection. */
const calmMs = 2_000;
const pollMs = 50;

/** Waits until all is well. @returns how long the last miss came after the healing */
async function recovery(load: Load, proxy: BlackHoleProxy): Promise<number> {
  const healedMs = performance.now();
  for (;;) {
    const nowMs = performance.now();
    const lastMs = Math.max(load.lastMissMs, healedMs);
    if (nowMs - lastMs > calmMs && proxy.held() === 0) return lastMs - healedMs;
    if (nowMs - healedMs > wellWithinMs + calmMs) return nowMs - healedMs;
    await sleep(pollMs);
  }
}

export const databaseHolesProof: Proof = {
  key: 'database-holes',
  fault: 'half of the connections to PostgreSQL go silent, neither side is told',
  promise: 'every request has an answer within 10 s, all is well within 15 s of the healing',
  rounds: 20,
  async run({ seed, rounds, progress }) {
    let made: BlackHoleProxy | undefined;
    const { house, stop } = await openDatabaseHouse(undefined, async (url) => {
      made = await startBlackHoleProxy(url);
      return made.url;
    });
    const proxy = made as unknown as BlackHoleProxy;
    const load = await startLoad(house, { seed, deadlineMs });
    const violations: string[] = [];
    let slowestRecoveryMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      await load.ackedSince(performance.now());
      proxy.swallow(share, choicesOf(seed, `holes ${round}`));
      await sleep(holeMs);
      proxy.heal();
      const recoveryMs = await recovery(load, proxy);
      slowestRecoveryMs = Math.max(slowestRecoveryMs, recoveryMs);
      if (recoveryMs > wellWithinMs)
        violations.push(
          `round ${round}: not well after ${Math.round(recoveryMs)} ms, ${proxy.held()} dead connections held`,
        );
      proxy.bury();
      progress(round + 1);
    }
    const ended = await load.end();
    proxy.bury();
    await sleep(pollMs);
    const left = await stop();
    await proxy.close();
    const { acked, unavailable } = load.counts;
    return {
      rounds,
      violations: [...violations, ...ended.violations, ...left],
      figures: {
        acked,
        unavailable,
        swallowed: proxy.swallowed(),
        ambiguous: ended.ambiguous,
        ambiguousApplied: ended.ambiguousApplied,
        slowestRequestMs: Math.round(load.slowestMs),
        slowestRecoveryMs: Math.round(slowestRecoveryMs),
      },
    };
  },
};
