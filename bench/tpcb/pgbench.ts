import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ServiceDatabase } from '../../service/db/embedded_running.ts';
import { libpqEnvironment } from '../database.ts';
import {
  type Reference,
  type ReferencePlan,
  type ReferenceReport,
  referenceDatabase,
  scale,
} from './reference.ts';

const debianVersions = '/usr/lib/postgresql';
const threads = 2;

/** PATH first, then Debian's folders outside it, the newest version first (rules/operations#38). */
function findPgbench(): string | null {
  const versions = existsSync(debianVersions) ? readdirSync(debianVersions) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(debianVersions, version, 'bin')),
  ];
  const found = folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path));
  return found ?? null;
}

/** One line a second: `progress: 1.0 s, 3521.0 tps, lat 2.2 ms stddev 1.1, 0 failed`. */
const progress = /^progress: ([\d.]+) s, ([\d.]+) tps,.* (\d+) failed/;

interface Second {
  readonly at: number;
  readonly perSecond: number;
}

/**
 * Reads pgbench's progress and sets the window by it, without the connecting, the first executions
 * and the end.
 */
async function readProgress(
  child: ChildProcess,
  { warmUpSeconds, seconds, window }: ReferencePlan,
): Promise<ReferenceReport> {
  const lines: Second[] = [];
  const others: string[] = [];
  if (!child.stderr) throw new Error('pgbench has no stderr');
  for await (const line of createInterface({ input: child.stderr })) {
    const [, at, perSecond, failed] = progress.exec(line) ?? [];
    if (failed === undefined) {
      others.push(line);
      continue;
    }
    if (failed !== '0') throw new Error(`pgbench: ${line}`);
    lines.push({ at: Number(at), perSecond: Number(perSecond) });
    if (lines.length === warmUpSeconds) window.onOpen();
    if (lines.length === warmUpSeconds + seconds) window.onClose();
  }
  const [start, ...counted] = lines.slice(warmUpSeconds - 1, warmUpSeconds + seconds);
  const end = counted.at(-1);
  if (!start || !end || counted.length < seconds) throw new Error(`pgbench: ${others.join('\n')}`);
  let transactions = 0;
  let before = start.at;
  for (const { at, perSecond } of counted) {
    transactions += perSecond * (at - before);
    before = at;
  }
  return { transactions, seconds: end.at - start.at };
}

async function runPgbench(path: string, plan: ReferencePlan): Promise<ReferenceReport> {
  const runSeconds = plan.warmUpSeconds + plan.seconds + 1;
  const options = ['-M', 'prepared', '-P', '1', '-T', String(runSeconds)];
  const args = [...options, '-c', String(plan.clients), '-j', String(threads)];
  const child = spawn(path, args, {
    env: libpqEnvironment(plan.database, referenceDatabase),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  plan.onStart(child.pid ?? 0);
  const report = await readProgress(child, plan);
  const [code] = await ended;
  if (code !== 0) throw new Error(`pgbench ended with ${code}`);
  return report;
}

/**
 * pgbench's TPC-B-like script on a separate database, which this fills. Null where pgbench is not
 * installed.
 */
export function openPgbench(database: ServiceDatabase): Reference | null {
  const path = findPgbench();
  if (path === null) return null;
  const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
  execFileSync(path, ['-i', '-q', '-s', String(scale)], {
    env: libpqEnvironment(database, referenceDatabase),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return {
    name: version.trim().replace(/ \(Debian.*/, ''),
    isPgbench: true,
    run: (plan) => runPgbench(path, plan),
  };
}
