import { setTimeout as sleep } from 'node:timers/promises';
import { choicesOf } from '../../kit/seed.ts';
import type { Proof } from '../../prove/proof.ts';
import { startLoad } from './load.ts';
import { openDatabaseHouse } from './service.ts';

/** The service is well again so soon after PostgreSQL accepts connections (reliability F4). */
const wellWithinMs = 5_000;
const shortestLifeMs = 200;
const longestLifeMs = 1_200;

export const databaseKillProof: Proof = {
  key: 'database-kill',
  fault: 'PostgreSQL and all its processes are killed (kill -9) under load',
  promise: 'nothing acknowledged is lost, nothing is applied twice, writes are back within 5 s',
  rounds: 40,
  async run({ seed, rounds, progress }) {
    const { server, house, stop } = await openDatabaseHouse();
    const load = await startLoad(house, { seed });
    const violations: string[] = [];
    let slowestRecoveryMs = 0;
    let slowestStartMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { below } = choicesOf(seed, `kill ${round}`);
      await load.ackedSince(performance.now());
      await sleep(shortestLifeMs + below(longestLifeMs - shortestLifeMs));
      const killedMs = performance.now();
      await server.kill();
      const acceptedMs = await server.accepts();
      const recoveryMs = (await load.ackedSince(acceptedMs)) - acceptedMs;
      slowestStartMs = Math.max(slowestStartMs, acceptedMs - killedMs);
      slowestRecoveryMs = Math.max(slowestRecoveryMs, recoveryMs);
      if (recoveryMs > wellWithinMs)
        violations.push(`round ${round}: no write for ${Math.round(recoveryMs)} ms`);
      progress(round + 1);
    }
    const ended = await load.end();
    const { acked, refused, unavailable } = load.counts;
    return {
      rounds,
      violations: [...violations, ...ended.violations, ...(await stop())],
      figures: {
        acked,
        refused,
        unavailable,
        ambiguous: ended.ambiguous,
        ambiguousApplied: ended.ambiguousApplied,
        slowestStartMs: Math.round(slowestStartMs),
        slowestRecoveryMs: Math.round(slowestRecoveryMs),
      },
    };
  },
};
