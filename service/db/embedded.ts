import { spawn } from 'node:child_process';
import { constants, rmSync } from 'node:fs';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverBinaries } from './embedded_binaries.ts';
import { createHome } from './embedded_home.ts';
import {
  asUser,
  findHome,
  type Home,
  makeDataDir,
  makeSocketFolder,
  type ServerUser,
  serverUser,
} from './embedded_place.ts';
import {
  clearSocketFolder,
  freeCluster,
  freeEnded,
  inUse,
  readPostmasterFile,
  removeSocketFolder,
  SOCKET_PORT,
  stopPostmaster,
} from './embedded_process.ts';

const READY_POLL_MS = 4;
const LARGEST_LOG_BYTES = 8 * 1024 * 1024;

/** A server that ended by itself is started again after this, and later after each failed start. */
const RESTART_PAUSE_MS = 200;
const LONGEST_RESTART_PAUSE_MS = 2_000;

/** Backends of a killed server may need a moment to end and free the shared memory. */
const MEMORY_RETRIES = 100;
const MEMORY_RETRY_MS = 100;

/** On the command line, so that a newer version's settings hold for an older version's data. */
const SETTINGS = {
  listen_addresses: '',
  port: String(SOCKET_PORT),
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  // Rows are looked up by key, so small samples of a table are enough; large ones are most of autovacuum's work.
  default_statistics_target: '25',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // A refusal by the service is an ERROR here, and its text quotes personal data: `log` leaves errors of statements out
  // and keeps starts, stops, recoveries and everything fatal.
  log_min_messages: 'log',
};

/** For a temporary server, whose data may be lost in a power cut. */
const TEST_SETTINGS = {
  ...SETTINGS,
  // Enough for the services of several test files at once, each with two cells and their control.
  max_connections: '400',
  shared_buffers: '128MB',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
};

/** A running PostgreSQL that this process has started. */
export interface EmbeddedServer {
  /** For pg and libpq alike; holds the superuser's password. */
  readonly url: string;
  /** The postmaster's process number; another one after a restart. */
  readonly pid: number;
  /** A fast shutdown: open transactions are rolled back, the files are left clean. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** DATA_DIR; made when it is not there. */
  readonly dataDir: string;
  /** Takes one line for an operator. */
  readonly log?: (line: string) => void;
  /** Faster, without durability. */
  readonly forTests?: boolean;
  /** Starts the server again, at the same url, when it ends without `stop`. */
  readonly restarts?: boolean;
  /** Called whenever another program works for the start: meanwhile this process has time for other work. */
  readonly onWait?: (() => void) | undefined;
  /** The places for files that the server's user cannot reach in a closed home, instead of the usual places. */
  readonly openParents?: string[];
}

interface Running {
  readonly pid: number;
  /** Resolves when the process has ended, with the reason. */
  readonly ended: Promise<string>;
}

/** Appends to the log; refuses a link, which the server's user could have made. */
async function openLog(path: string, user: ServerUser) {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const before = await stat(path).catch(() => undefined);
  if (before !== undefined && before.size > LARGEST_LOG_BYTES) await rename(path, `${path}.1`);
  const file = await open(path, flags, 0o600);
  if (user.uid !== process.getuid?.()) await file.chown(user.uid, user.gid);
  return { file, size: (await file.stat()).size };
}

/** Starts the postmaster; in a session of its own, so that Ctrl-C reaches the service alone. */
function spawnPostmaster(bin: string, home: Home, args: string[], logFd: number): Running {
  const child = spawn(join(bin, 'postgres'), args, {
    ...asUser(home.user, home.folder),
    detached: true,
    stdio: ['ignore', logFd, logFd],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ code, name }: NodeJS.ErrnoException) => resolve(code ?? name));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  child.unref();
  return { pid: child.pid ?? 0, ended };
}

/** True when it takes connections, false when it ended before. Crash recovery may take its time. */
async function untilReady(server: Running, cluster: string): Promise<boolean> {
  let isOver = false;
  void server.ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const file = await readPostmasterFile(cluster);
    if (file?.ready && file.pid === server.pid) return true;
    await sleep(READY_POLL_MS);
  }
  return false;
}

/** How a server is started. */
interface Launch {
  readonly bin: string;
  readonly home: Home;
  readonly args: string[];
  readonly onWait?: (() => void) | undefined;
}

/** One start; the log's new lines when it failed. */
async function attempt({ bin, home, args, onWait }: Launch): Promise<Running | string> {
  const logPath = join(home.folder, 'postgres.log');
  const { file, size } = await openLog(logPath, home.user);
  const server = spawnPostmaster(bin, home, args, file.fd);
  await file.close();
  onWait?.();
  if (await untilReady(server, join(home.folder, 'cluster'))) return server;
  const lines = (await readFile(logPath)).subarray(size).toString();
  return `${lines}\nFATAL:  ${await server.ended}`;
}

async function launch(dataDir: string, how: Launch): Promise<Running> {
  const { home } = how;
  let failure = '';
  for (let retry = 0; retry < MEMORY_RETRIES; retry++) {
    const result = await attempt(how);
    if (typeof result !== 'string') return result;
    failure = result;
    if (failure.includes('lock file "postmaster.pid" already exists')) {
      const file = await readPostmasterFile(join(home.folder, 'cluster'));
      throw inUse(dataDir, file?.pid);
    }
    if (!failure.includes('pre-existing shared memory block')) break;
    await sleep(MEMORY_RETRY_MS);
  }
  const reason = /FATAL: {2}(.*)/.exec(failure)?.[1];
  throw new Error(`PostgreSQL did not start: ${reason}; see ${join(home.folder, 'postgres.log')}.`);
}

interface Kept {
  readonly url: string;
  readonly socketFolder: string;
  readonly log: (line: string) => void;
  readonly logPath: string;
  /** Starts it again; null: no restart by this process. */
  readonly restart: ((ended: number) => Promise<Running>) | null;
}

/** Keeps the server until `stop`; `pid` is that of the moment. */
function keep(first: Running, { url, socketFolder, log, logPath, restart }: Kept): EmbeddedServer {
  let server = first;
  let stopped: Promise<void> | undefined;
  let reviving: Promise<void> = Promise.resolve();
  // Also on process.exit; the server of a killed parent is stopped by the next start.
  const onExit = () => {
    try {
      process.kill(server.pid, 'SIGINT');
      rmSync(socketFolder, { recursive: true, force: true });
    } catch {
      // The server ended by itself.
    }
  };
  process.once('exit', onExit);

  async function revive(again: NonNullable<Kept['restart']>): Promise<void> {
    const ended = server.pid;
    for (let tries = 0; stopped === undefined; tries += 1) {
      await sleep(Math.min(RESTART_PAUSE_MS * 2 ** tries, LONGEST_RESTART_PAUSE_MS));
      try {
        server = await again(ended);
        watch();
        return log('The embedded PostgreSQL was started again.');
      } catch {
        log(`The embedded PostgreSQL did not start again; see ${logPath}.`);
      }
    }
  }

  function watch(): void {
    void server.ended.then((reason) => {
      if (restart === null) process.off('exit', onExit);
      if (stopped !== undefined) return;
      log(`The embedded PostgreSQL ended by itself (${reason}).`);
      if (restart !== null) reviving = revive(restart);
    });
  }

  async function stop(): Promise<void> {
    await reviving;
    await stopPostmaster(server.pid);
    process.off('exit', onExit);
    await removeSocketFolder(socketFolder);
  }
  watch();
  return {
    url,
    get pid() {
      return server.pid;
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Starts the PostgreSQL that comes with npm on the data of one DATA_DIR, which the first start
 * makes: about a third of a second from an empty folder, a tenth later on. As root it runs as `nobody`,
 * or as the owner of data that an ordinary user made. It listens on a socket in a folder that only
 * its user enters, and asks for the password too.
 *
 * Its files lie in `DATA_DIR/postgres`. When `nobody` cannot enter DATA_DIR (a closed home), they
 * lie in `/var/lib/tenant-payments-0/data-…` (else under `/var/tmp`), `DATA_DIR/postgres.path` says
 * where, and the programs are copied beside them.
 * @throws one line when the folder is in use, cannot be reached, or the server does not start
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = await makeDataDir(options.dataDir);
  const found = await findHome(dataDir);
  const user = found?.user ?? serverUser();
  const bin = await serverBinaries(user, options.openParents);
  const home = found ?? (await createHome(dataDir, user, bin, options));
  const cluster = join(home.folder, 'cluster');
  await freeCluster(cluster, dataDir);

  const { log = () => {}, restarts = false, onWait } = options;
  const socketFolder = await makeSocketFolder(home.user);
  const settings = {
    ...(options.forTests ? TEST_SETTINGS : SETTINGS),
    unix_socket_directories: socketFolder,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    const args = ['-D', cluster, ...flags];
    const start = () => launch(dataDir, { bin, home, args, onWait });
    const server = await start();
    const restart = async (ended: number) => {
      await freeEnded(cluster, ended);
      await clearSocketFolder(socketFolder);
      return start();
    };
    const password = await readFile(join(home.folder, 'password'), 'utf8');
    const query = new URLSearchParams({ host: socketFolder });
    const url = `postgresql://postgres:${password}@localhost:${SOCKET_PORT}/postgres?${query}`;
    const logPath = join(home.folder, 'postgres.log');
    return keep(server, { url, socketFolder, log, logPath, restart: restarts ? restart : null });
  } catch (error) {
    await removeSocketFolder(socketFolder);
    throw error;
  }
}
