import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOwnerAlive, processMark } from '../../service/db/embedded_process.ts';

const inMemory = '/dev/shm';
const RUN_FOLDER = /^tpay-run-(\d+-\d+)$/;
/** A whole run writes less than 1 GB at a time. */
const roomNeeded = 4 * 1024 ** 3;

/** Whether the machine keeps this folder in memory, has room in it, and runs programs from it. */
function isRoomy(folder: string): boolean {
  try {
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, path]) => path === folder);
    const { bavail, bsize } = statfsSync(folder);
    const runs = mount?.[2] === 'tmpfs' && !mount[3]?.split(',').includes('noexec');
    return runs && Math.min(bavail * bsize, freemem()) > roomNeeded;
  } catch {
    return false;
  }
}

/** The folders of runs that were killed. */
export function foldersOfEndedRuns(): string[] {
  return [inMemory, tmpdirOnDisk()].flatMap((parent) => {
    try {
      const names = readdirSync(parent);
      const ended = names.filter((name) => {
        const mark = RUN_FOLDER.exec(name)?.[1];
        return mark !== undefined && !isOwnerAlive(mark);
      });
      return ended.map((name) => join(parent, name));
    } catch {
      return [];
    }
  });
}

/** The folder where files can be links to those of the repository, which has no link to memory. */
export const tmpdirOnDisk = (): string => process.env.TPAY_TMPDIR_ON_DISK ?? tmpdir();

/**
 * Gives this process and its children a temporary folder of their own, which ends with it. It is in memory where
 * there is room: a database of a test has 766 files, and on ext4 each took up to half a millisecond of the processor.
 */
export function useRunFolder(): void {
  if (process.env.TPAY_TMPDIR_ON_DISK !== undefined) return;
  process.env.TPAY_TMPDIR_ON_DISK = tmpdir();
  const parent = isRoomy(inMemory) ? inMemory : tmpdir();
  const folder = join(parent, `tpay-run-${processMark(process.pid)}`);
  mkdirSync(folder, { recursive: true });
  // Like /tmp: servers of PostgreSQL have another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
}
