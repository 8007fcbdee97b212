import { setTimeout as sleep } from 'node:timers/promises';
import { proofTest } from '../../prove/proof.ts';
import { startPostgres } from './postgres.ts';
import { proveUnderLoad } from './under_load.ts';

const shortestLifeMs = 200;
const longestLifeMs = 1_200;

proofTest(
  'of a database that is killed under load nothing acknowledged is lost and nothing is applied twice',
  2,
  async (context) => {
    const postgres = await startPostgres();
    let slowestStartMs = 0;
    const verdict = await proveUnderLoad(
      context,
      { database: { ...postgres, drop: postgres.stop }, backWithinMs: 5_000 },
      async (_running, { choices, recovery }) => {
        await sleep(shortestLifeMs + choices.below(longestLifeMs - shortestLifeMs));
        const killedMs = performance.now();
        await postgres.kill();
        const acceptedMs = await postgres.accepts();
        slowestStartMs = Math.max(slowestStartMs, Math.round(acceptedMs - killedMs));
        await recovery(acceptedMs);
      },
    );
    return { ...verdict, figures: { slowestStartMs, ...verdict.figures } };
  },
);
