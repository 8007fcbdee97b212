import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { until } from '../../kit/wait.ts';
import { type ProofContext, proofTest } from '../../prove/proof.ts';
import { startPostgres } from './postgres.ts';
import { openSmallDisk, type SmallDisk } from './small_disk.ts';
import { proveUnderLoad } from './under_load.ts';

const name = 'a database whose disk is full costs 503 and no partial state';
/** The disk stays full so long after the first 503, and 1 s longer in each round, up to 4 s. */
const fullMs = (round: number) => 1_000 * (1 + (round % 4));

async function run(disk: SmallDisk, context: ProofContext) {
  const postgres = await startPostgres(disk.dataDir);
  const verdict = await proveUnderLoad(
    context,
    { database: { url: postgres.url, drop: postgres.stop }, backWithinMs: 30_000 },
    async ({ load }, { round, violate, recovery }) => {
      const before = load.counts.unavailable;
      // Writes go on until what PostgreSQL had set aside is used up.
      const isFull = () => disk.fill().then(() => load.counts.unavailable > before);
      await until(isFull, { everyMs: 50 }).catch(() => violate('the disk was never full'));
      await disk.fill();
      await sleep(fullMs(round));
      await disk.free();
      await recovery(performance.now());
      await postgres.accepts();
      // Moves the log's content to its place, so that the disk has room for the next round.
      await postgres.query('checkpoint');
    },
  );
  await disk.remove();
  return verdict;
}

const disk = await openSmallDisk().catch(() => null);
if (disk) proofTest(name, 1, (context) => run(disk, context));
else test.skip(`${name} (skipped: only root on Linux may mount a disk)`);
