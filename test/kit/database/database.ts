import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject, type ProvidedContext } from 'vitest';
import { inSchema } from '../../../engine/database/cell.ts';
import { openClient, openPool } from '../../../engine/database/pool.ts';
import {
  controlOf,
  databaseUrl,
  isRemote,
  makeTestSchema,
  plainOf,
  serviceLoginOf,
  testSchema,
  urlOfLogin,
} from './database_url.ts';

/** The server of a run that is not vitest's: a long proof's. */
let ownServer: Pick<ProvidedContext, 'adminUrl' | 'testPrefix'> | null = null;

/** Names the server on which databases are made outside vitest. */
export function useServer(server: Pick<ProvidedContext, 'adminUrl' | 'testPrefix'>): void {
  ownServer = server;
}

const provided = (name: 'adminUrl' | 'testPrefix'): string =>
  ownServer ? ownServer[name] : inject(name);

/** One connection for all databases of a worker: each costs the server as much as a hundred queries. */
let admins: { readonly url: string; readonly pool: pg.Pool } | null = null;

async function asAdmin(sql: string): Promise<void> {
  const url = provided('adminUrl');
  if (admins?.url !== url)
    admins = { url, pool: openPool(url, { max: 1, statementTimeoutMs: 60_000 }) };
  await admins.pool.query(sql);
}

/** A database of a test's own. */
export interface TestDatabase {
  /** The address at which its owner reaches it. */
  readonly url: string;
  /** The address at which the service's login reaches it. */
  readonly serviceUrl: string;
  /** The database with the schema control, as the service's login reaches it; absent: the same one. */
  readonly controlUrl?: string;
  /** Ends all connections to it and removes it. */
  drop(): Promise<void>;
}

async function create(options: string): Promise<TestDatabase> {
  const name = `${provided('testPrefix')}_${randomBytes(6).toString('hex')}`;
  // In memory half the processor time of the usual way, which writes every page to the log too.
  await asAdmin(`create database ${name} ${options} strategy file_copy`);
  const plain = databaseUrl(provided('adminUrl'), name);
  const url = inSchema(plain, testSchema);
  return {
    url,
    serviceUrl: urlOfLogin(url, serviceLoginOf(provided('testPrefix'))),
    drop: () => asAdmin(`drop database if exists ${name} with (force)`),
  };
}

/** A cell of a database of its own, and a copy of that with its control. */
async function createRemote(): Promise<TestDatabase> {
  const template = provided('testPrefix');
  const control = await create(`template ${controlOf(template)}`);
  const database = await create(`template ${template}`);
  const owner = await openClient(database.url);
  const { pathname } = new URL(control.url);
  await owner
    .query(`alter server tenant_payments_control options (set dbname '${pathname.slice(1)}')`)
    .finally(() => owner.end());
  return {
    ...database,
    controlUrl: urlOfLogin(databaseUrl(control.url, pathname.slice(1)), serviceLoginOf(template)),
    async drop() {
      await database.drop();
      await control.drop();
    },
  };
}

/**
 * A migrated, empty database: a copy of the run's template. Call it once in a test file.
 * @param isPlain one cell beside its control, whatever the others are
 */
export function testDatabase(isPlain = false): Promise<TestDatabase> {
  return isRemote && !isPlain
    ? createRemote()
    : create(`template ${plainOf(provided('testPrefix'))}`);
}

/** A database without any table of ours, for tests of the migrations themselves. */
export async function blankDatabase(): Promise<TestDatabase> {
  const database = await create('template template0');
  const owner = await openClient(database.url);
  await owner.query(makeTestSchema).finally(() => owner.end());
  return database;
}
