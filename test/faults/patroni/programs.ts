import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverUser } from '../../../service/db/embedded_place.ts';
import { childrenOf, killAll } from '../database/postgres.ts';
import { programAt } from './settings.ts';

/** The programs that may still run when this process ends. */
const children = new Set<ChildProcess>();
const folders = new Set<string>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) signal(postmasterOf(folder) ?? 0, 'SIGKILL');
});

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    // 0 would be the group of this process.
    if (pid > 0) process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

/** Starts a program of the cluster as PostgreSQL's user; what it says is in `<folder>/<name>.log`. */
export function startProgram(
  name: string,
  args: readonly string[],
  { folder, env = {} }: { folder: string; env?: Readonly<Record<string, string>> },
): ChildProcess {
  const user = serverUser();
  const child = spawn(programAt(name) ?? name, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C.UTF-8', ...env },
    ...(user.uid === process.getuid?.() ? {} : user),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  children.add(child);
  folders.add(folder);
  child.once('exit', () => void children.delete(child));
  return child;
}

/** The postmaster of a member; null: none runs. The file of one that was killed stays, and its number may be another's. */
export function postmasterOf(folder: string): number | null {
  try {
    const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0]);
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) ? pid : null;
  } catch {
    return null;
  }
}

/** kill -9 of Patroni and PostgreSQL together, as a machine ends. */
export async function killMember(patroni: ChildProcess, folder: string): Promise<void> {
  const hasEnded = patroni.exitCode !== null || patroni.signalCode !== null;
  const ended = hasEnded ? null : once(patroni, 'exit');
  const postmaster = postmasterOf(folder);
  signal(patroni.pid ?? 0, 'SIGKILL');
  if (postmaster !== null) await killAll(postmaster);
  await ended;
}

/** Patroni, PostgreSQL and its backends stand still, or go on. */
export async function freezeMember(
  patroni: ChildProcess,
  folder: string,
  how: 'SIGSTOP' | 'SIGCONT',
): Promise<void> {
  const postmaster = postmasterOf(folder);
  const backends = postmaster === null ? [] : [postmaster, ...(await childrenOf(postmaster))];
  for (const pid of [patroni.pid ?? 0, ...backends]) signal(pid, how);
}
