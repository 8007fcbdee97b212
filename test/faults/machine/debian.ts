import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { asUser, serverUser } from '../../../service/db/embedded_place.ts';
import { until } from '../../kit/wait.ts';
import type { StartServer } from '../database/postgres.ts';
import { bin } from '../patroni/settings.ts';

/** PostgreSQL 15 as Debian packs it, with Debian's defaults, on a socket alone. */

const run = promisify(execFile);
const restartMs = 500;

async function makeOwn(folder: string): Promise<string> {
  const { uid, gid } = serverUser();
  await chown(folder, uid, gid);
  return folder;
}

/** Whether the postmaster of a folder has said that it takes connections. */
async function isReady(cluster: string, { pid }: ChildProcess): Promise<boolean> {
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = file.split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

export const startDebian: StartServer = async ({ dataDir, restarts }) => {
  const home = join(dataDir, 'debian');
  await mkdir(home, { mode: 0o700 });
  await makeOwn(home);
  const cluster = join(home, 'cluster');
  const sockets = await makeOwn(await mkdtemp(join(tmpdir(), 'tpay-pg-')));
  const user = asUser(serverUser(), home);
  const make = ['-D', cluster, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust'];
  await run(join(bin, 'initdb'), make, user);
  const settings = { listen_addresses: '', unix_socket_directories: sockets };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let isOver = false;
  const begin = () => {
    const child = spawn(join(bin, 'postgres'), ['-D', cluster, ...flags], {
      ...user,
      stdio: 'ignore',
    });
    child.once('exit', () => void again());
    return child;
  };
  let child = begin();
  async function again(): Promise<void> {
    await sleep(restartMs);
    if (restarts && !isOver) child = begin();
  }
  const end = () => void child.kill('SIGQUIT');
  process.once('exit', end);
  await until(() => isReady(cluster, child), { what: 'PostgreSQL of Debian' });
  return {
    url: `postgresql://postgres:none@localhost:5432/postgres?${new URLSearchParams({ host: sockets })}`,
    get pid() {
      return child.pid ?? 0;
    },
    async stop() {
      isOver = true;
      process.off('exit', end);
      const ended = child.exitCode === null && !child.signalCode ? once(child, 'exit') : null;
      child.kill('SIGINT');
      await ended;
      await rm(sockets, { recursive: true, force: true });
    },
  };
};
