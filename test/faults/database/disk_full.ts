import { execFileSync } from 'node:child_process';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDataDir } from '../../kit/database/database_server.ts';
import { until } from '../../kit/wait.ts';
import type { ProofContext } from '../../prove/proof.ts';
import { type StartServer, startPostgres } from './postgres.ts';
import { proveUnderLoad } from './under_load.ts';

const mountCommand = 'mount';
const unmountCommand = 'umount';
const megabytes = 512;
const chunkBytes = 256 * 1024;

/** A disk of a fixed, small size. */
export interface SmallDisk {
  readonly dataDir: string;
  /** Takes all space that is left. */
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** @throws where it cannot be mounted: not on Linux, or not as root */
export async function openSmallDisk(): Promise<SmallDisk> {
  const folder = await temporaryDataDir();
  const mountPoint = join(folder, 'disk');
  const ballast = join(mountPoint, 'ballast');
  await mkdir(mountPoint);
  try {
    const size = `size=${megabytes}m,mode=0711`;
    execFileSync(mountCommand, ['-t', 'tmpfs', '-o', size, 'tmpfs', mountPoint], {
      stdio: 'ignore',
    });
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  const unmount = () => execFileSync(unmountCommand, ['-l', mountPoint]);
  process.once('exit', unmount);
  const dataDir = join(mountPoint, 'data');
  await mkdir(dataDir);
  await chmod(dataDir, 0o711);
  return {
    dataDir,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        for (let bytes = chunkBytes; bytes >= 1; )
          await file.write(Buffer.alloc(bytes)).catch(() => {
            bytes = Math.floor(bytes / 8);
          });
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    async remove() {
      process.off('exit', unmount);
      unmount();
      await rm(folder, { recursive: true });
    },
  };
}

/** The disk stays full so long after the first 503, and 1 s longer in each round, up to 4 s. */
const fullMs = (round: number) => 1_000 * (1 + (round % 4));

/** Fills the disk of a server under load, once in each round. @param start absent: the server of npm */
export async function proveDiskFull(disk: SmallDisk, context: ProofContext, start?: StartServer) {
  const postgres = await startPostgres(disk.dataDir, { start });
  const verdict = await proveUnderLoad(
    context,
    { database: { ...postgres, drop: postgres.stop }, backWithinMs: 30_000 },
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
