import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryDataDir } from '../../kit/database_server.ts';
import { choicesOf } from '../../kit/seed.ts';
import type { Proof, Verdict } from '../../prove/proof.ts';
import { type Load, startLoad } from './load.ts';
import { openDatabaseHouse } from './service.ts';

const run = promisify(execFile);

const unmounting = 'umount';
const sizeMegabytes = 512;
const chunkBytes = 256 * 1024;
/** Writes go on until what PostgreSQL had set aside is used up. */
const fullWithinMs = 60_000;
const shortestFullMs = 1_000;
const longestFullMs = 4_000;
/** The service is well again so soon after space was freed (reliability F9). */
const wellWithinMs = 30_000;
const pollMs = 50;

/** A small disk of its own. */
interface SmallDisk {
  readonly dataDir: string;
  /** Takes all space that is left. */
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
}

async function openSmallDisk(): Promise<SmallDisk> {
  const folder = await temporaryDataDir();
  const mountPoint = join(folder, 'disk');
  const ballast = join(mountPoint, 'ballast');
  await mkdir(mountPoint);
  try {
    const size = `size=${sizeMegabytes}m,mode=0711`;
    await run('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', mountPoint]);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  const unmount = () => execFileSync(unmounting, ['-l', mountPoint]);
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
      await run(unmounting, [mountPoint]).catch(() => unmount());
      await rm(folder, { recursive: true });
    },
  };
}

/** Why no small disk can be had here; null: it can. */
export async function noSmallDisk(): Promise<string | null> {
  if (process.platform !== 'linux') return 'skipped: a disk of a fixed size needs Linux';
  if (process.getuid?.() !== 0) return 'skipped: only root may mount a disk of a fixed size';
  try {
    await (await openSmallDisk()).remove();
    return null;
  } catch {
    return 'skipped: this machine lets nobody mount a disk';
  }
}

/** Fills the disk until requests are refused, and some time longer. @returns whether they were */
async function starve(disk: SmallDisk, load: Load, forMs: number): Promise<boolean> {
  const before = load.counts.unavailable;
  const untilMs = performance.now() + fullWithinMs;
  while (load.counts.unavailable === before && performance.now() < untilMs) {
    await disk.fill();
    await sleep(pollMs);
  }
  await disk.fill();
  await sleep(forMs);
  return load.counts.unavailable > before;
}

const skipped: Verdict = { rounds: 0, violations: [], figures: { skipped: 1 } };

export const diskFullProof: Proof = {
  key: 'disk-full',
  fault: "the disk of PostgreSQL's data and log is full",
  promise: '503 and no partial state; writes are back within 30 s of space being freed',
  rounds: 5,
  async run({ seed, rounds, progress }) {
    const why = await noSmallDisk();
    if (why !== null) {
      process.stderr.write(`disk-full ${why}\n`);
      return skipped;
    }
    const disk = await openSmallDisk();
    const { server, house, stop } = await openDatabaseHouse(disk.dataDir);
    const load = await startLoad(house, { seed });
    const violations: string[] = [];
    let slowestRecoveryMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { below } = choicesOf(seed, `full ${round}`);
      await load.ackedSince(performance.now());
      const forMs = shortestFullMs + below(longestFullMs - shortestFullMs);
      if (!(await starve(disk, load, forMs)))
        violations.push(`round ${round}: the disk was never full`);
      await disk.free();
      const freedMs = performance.now();
      const recoveryMs = (await load.ackedSince(freedMs)) - freedMs;
      slowestRecoveryMs = Math.max(slowestRecoveryMs, recoveryMs);
      if (recoveryMs > wellWithinMs)
        violations.push(`round ${round}: no write for ${Math.round(recoveryMs)} ms`);
      await server.accepts();
      // What the log holds is put into its place, so that the disk has room for the next round.
      await server.ask('checkpoint');
      progress(round + 1);
    }
    const ended = await load.end();
    violations.push(...ended.violations, ...(await stop()));
    await disk.remove();
    const { acked, unavailable } = load.counts;
    return {
      rounds,
      violations,
      figures: {
        acked,
        unavailable,
        ambiguous: ended.ambiguous,
        ambiguousApplied: ended.ambiguousApplied,
        slowestRecoveryMs: Math.round(slowestRecoveryMs),
      },
    };
  },
};
