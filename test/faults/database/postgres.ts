import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { openClient } from '../../../engine/database/pool.ts';
import { type EmbeddedServer, startEmbedded } from '../../../service/db/embedded.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { makeServiceLogin } from '../../../service/db/service_role.ts';
import { temporaryDataDir } from '../../kit/database/database_server.ts';
import { databaseUrl } from '../../kit/database/database_url.ts';
import { until } from '../../kit/wait.ts';

const run = promisify(execFile);

/** A PostgreSQL for one proof, as durable as in production; it starts again when it is killed. */
export interface Postgres {
  /** A migrated, empty database. */
  readonly url: string;
  readonly serviceUrl: string;
  /** kill -9 of the postmaster and its children. */
  kill(): Promise<void>;
  /** Resolves when connections are accepted. @returns `performance.now()` of that moment */
  accepts(): Promise<number>;
  /** Runs a statement on a connection of its own. */
  query(text: string, values?: unknown[]): Promise<pg.QueryResultRow[]>;
  stop(): Promise<void>;
}

/** kill -9 of a postmaster and its children. */
export async function killAll(pid: number): Promise<void> {
  for (const one of [pid, ...(await childrenOf(pid))]) killNow(one);
}

export async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return all.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The server ended with its parent.
  }
}

async function ask(url: string, text: string, values: unknown[] = []) {
  const client = await openClient(url, { statementTimeoutMs: 30_000 });
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a server whose files lie in a folder. */
export type StartServer = (how: {
  readonly dataDir: string;
  readonly restarts: boolean;
}) => Promise<EmbeddedServer>;

interface PostgresOptions {
  /** False: a server that was killed stays away. */
  readonly restarts?: boolean;
  /** Absent: the server that comes with npm. */
  readonly start?: StartServer | undefined;
}

/**
 * @param dataDir where its files lie; absent: a temporary folder, removed by `stop`
 */
export async function startPostgres(
  dataDir?: string,
  { restarts = true, start = startEmbedded }: PostgresOptions = {},
): Promise<Postgres> {
  const folder = dataDir ?? (await temporaryDataDir());
  const server = await start({ dataDir: folder, restarts });
  const url = databaseUrl(server.url, 'proof');
  await ask(server.url, 'create database proof');
  await migrate(url);
  return {
    url,
    serviceUrl: await makeServiceLogin(url),
    query: (text, values) => ask(url, text, values),
    async kill() {
      await killAll(server.pid);
    },
    async accepts() {
      await until(() => ask(url, 'select 1').catch(() => null), { what: 'a connection' });
      return performance.now();
    },
    async stop() {
      await server.stop();
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
