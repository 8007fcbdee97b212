import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { startEmbedded } from '../../../service/db/embedded.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { openClient } from '../../../service/db/pool.ts';
import { temporaryDataDir } from '../../kit/database_server.ts';
import { databaseUrl } from '../../kit/database_url.ts';

const ps = promisify(execFile);
const pollMs = 20;

/** A PostgreSQL of a proof's own, as durable as in production, which comes back when it is killed. */
export interface FaultyServer {
  /** A migrated, empty database. */
  readonly url: string;
  /** kill -9 of the postmaster and everything that it has started. */
  kill(): Promise<void>;
  /** Resolves when connections are accepted. @returns `performance.now()` of that moment */
  accepts(): Promise<number>;
  /** Asks by a connection of its own. */
  ask<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Every process below this one, in no order. */
async function descendants(pid: number): Promise<number[]> {
  const { stdout } = await ps('ps', ['-A', '-o', 'pid=,ppid=']);
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    all.flatMap(([child = 0, of]) => (of === parent ? [child, ...below(child)] : []));
  return below(pid);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with the one before it.
  }
}

export interface FaultyServerOptions {
  /** Where its files lie; absent: a temporary folder, removed by `stop`. */
  readonly dataDir?: string | undefined;
  /** True: as fast as the other tests' server, for proofs that kill everything but PostgreSQL. */
  readonly forTests?: boolean;
}

export async function startFaultyServer(options: FaultyServerOptions = {}): Promise<FaultyServer> {
  const { dataDir, forTests = false } = options;
  const folder = dataDir ?? (await temporaryDataDir());
  const server = await startEmbedded({ dataDir: folder, restarts: true, forTests });
  const url = databaseUrl(server.url, 'proof');

  async function ask<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    at = url,
  ): Promise<Row[]> {
    const client = await openClient(at, { statementTimeoutMs: 30_000 });
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  await ask('create database proof', [], server.url);
  await migrate(url);
  return {
    url,
    ask: (text, values) => ask(text, values),
    async kill() {
      const { pid } = server;
      const children = await descendants(pid);
      for (const one of [pid, ...children]) end(one);
    },
    async accepts() {
      for (;;) {
        try {
          await ask('select 1');
          return performance.now();
        } catch {
          await sleep(pollMs);
        }
      }
    },
    async stop() {
      await server.stop();
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
