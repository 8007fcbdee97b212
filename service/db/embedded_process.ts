import { execFileSync } from 'node:child_process';
import { constants, readFileSync } from 'node:fs';
import { open, readFile, rmdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time for a checkpoint of a full buffer pool on a slow disk. */
const FAST_STOP_MS = 60_000;
const IMMEDIATE_STOP_MS = 10_000;
const POLL_MS = 5;

/** The socket folder carries its owner's mark; PostgreSQL notes the folder in `postmaster.pid`. */
const SOCKET_FOLDER = /^tpay-(\d+-\d+)-\w+$/;

/** The port in the name of the server's socket: `.s.PGSQL.<port>` in its socket folder. No TCP port is opened. */
export const SOCKET_PORT = 5432;

/**
 * `<pid>-<start time>` of a running process, undefined when there is none. It tells a process from
 * a later one that got the same number, which is the rule rather than the exception in containers.
 */
export function processMark(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return `${pid}-${Date.parse(started)}`;
    }
    // proc(5): the name in brackets may hold anything; state and start time are fields 3 and 22.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid}-${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether the process that made a folder with this mark in its name still runs. */
export function isOwnerAlive(mark: string): boolean {
  return processMark(Number.parseInt(mark, 10)) === mark;
}

function commandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** The contents of `postmaster.pid`; PostgreSQL fills it line by line while it starts. */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketFolder: string | undefined;
  readonly ready: boolean;
}

/** Reads `postmaster.pid`; undefined when the server was stopped properly or never ran. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
    return {
      pid: Number(lines[0]),
      socketFolder: lines[4]?.trim() || undefined,
      ready: lines[7]?.trim() === 'ready',
    };
  } catch {
    return undefined;
  }
}

/** The prefix of a socket folder that this process owns, for `mkdtemp`. */
export function socketFolderPrefix(): string {
  return `tpay-${processMark(process.pid)}-`;
}

/** Removes what a server that was killed left in its socket folder. */
export async function clearSocketFolder(folder: string): Promise<void> {
  const socket = join(folder, `.s.PGSQL.${SOCKET_PORT}`);
  await unlink(socket).catch(() => {});
  await unlink(`${socket}.lock`).catch(() => {});
}

/** Removes a socket folder and only what PostgreSQL puts there. */
export async function removeSocketFolder(folder: string | undefined): Promise<void> {
  if (folder === undefined || !SOCKET_FOLDER.test(basename(folder))) return;
  await clearSocketFolder(folder);
  await rmdir(folder).catch(() => {});
}

/** Waits until `done`; false when that takes longer than `limitMs`. */
async function waitUntil(done: () => boolean, limitMs: number): Promise<boolean> {
  const polls = Math.ceil(limitMs / POLL_MS);
  for (let poll = 0; poll < polls; poll++) {
    if (done()) return true;
    await sleep(POLL_MS);
  }
  return done();
}

/**
 * Stops a server: a fast shutdown, and after a minute an immediate one, after which the next start
 * recovers from the log. @throws when it does not end
 */
export async function stopPostmaster(pid: number): Promise<void> {
  const mark = processMark(pid);
  const isGone = () => mark === undefined || processMark(pid) !== mark;
  for (const [signal, limitMs] of [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
  ] as const) {
    if (isGone()) return;
    process.kill(pid, signal);
    if (await waitUntil(isGone, limitMs)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop.`);
}

/** The process that keeps this server, or the server's own number when it was started by hand. */
function keeper(file: PostmasterFile): number | undefined {
  const mark = SOCKET_FOLDER.exec(basename(file.socketFolder ?? ''))?.[1];
  if (mark === undefined) return file.pid;
  return isOwnerAlive(mark) ? Number.parseInt(mark, 10) : undefined;
}

/**
 * Frees a cluster from what an earlier process left: a server whose owner was killed is stopped, a
 * `postmaster.pid` whose number belongs to another program by now is made harmless.
 * @throws when the server is kept by a process that runs
 */
export async function freeCluster(cluster: string, dataDir: string): Promise<void> {
  let file = await readPostmasterFile(cluster);
  for (let poll = 0; file !== undefined && file.socketFolder === undefined; poll++) {
    // The server is only just starting, or it was killed in that moment.
    if (poll === 1_000 || processMark(file.pid) === undefined) break;
    await sleep(POLL_MS);
    file = await readPostmasterFile(cluster);
  }
  if (file === undefined) return;
  if (processMark(file.pid) !== undefined) {
    if (commandLine(file.pid).includes(cluster)) {
      const keeperPid = keeper(file);
      if (keeperPid !== undefined) throw inUse(dataDir, keeperPid);
      await stopPostmaster(file.pid);
    } else {
      await disownPostmasterFile(cluster);
    }
  }
  await removeSocketFolder(file.socketFolder);
}

/** Frees a cluster from its own server, which has ended: another program may have its number now. */
export async function freeEnded(cluster: string, pid: number): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file?.pid === pid) await disownPostmasterFile(cluster);
}

/** The one line for a folder that another process works on. */
export function inUse(dataDir: string, pid: number | undefined): Error {
  const who = pid === undefined ? 'another process' : `process ${pid}`;
  return new Error(
    `The data folder ${dataDir} is in use by ${who}; stop that first, or set another DATA_DIR.`,
  );
}

/**
 * Puts our own number into a stale `postmaster.pid`: PostgreSQL takes its parent's number for a
 * stale one and goes on to check that no old backend holds the shared memory. Without the file
 * that check would not happen.
 */
async function disownPostmasterFile(cluster: string): Promise<void> {
  // Never through a link: the folder is the server's user's, and we may be root.
  const file = await open(join(cluster, 'postmaster.pid'), constants.O_RDWR | constants.O_NOFOLLOW);
  const [, ...rest] = (await file.readFile('utf8')).split('\n');
  await file.truncate();
  await file.write([process.pid, ...rest].join('\n'), 0);
  await file.close();
}
