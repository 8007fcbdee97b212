import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { inSchema, usualSchema } from '../../../engine/database/cell.ts';
import { openClient } from '../../../engine/database/pool.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { serviceRole } from '../../../service/db/service_role.ts';
import { startThrowAwayServer } from './database_server.ts';
import {
  controlOf,
  databaseUrl,
  isRemote,
  makeTestSchema,
  plainOf,
  schemaBeside,
  serviceLoginOf,
  testSchema,
  urlOfLogin,
} from './database_url.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's url of the test server, with the database `postgres` or the one it came with. */
    adminUrl: string;
    /** The prefix of every database of this run, the template's name being it alone. */
    testPrefix: string;
  }
}

async function dropDatabases(adminUrl: string, prefix: string): Promise<void> {
  const admin = await openClient(adminUrl);
  try {
    const { rows } = await admin.query<{ name: string }>(
      `select quote_ident(datname) as name from pg_database where starts_with(datname, $1)`,
      [prefix],
    );
    for (const { name } of rows) await admin.query(`drop database ${name} with (force)`);
    await admin.query(`drop role if exists ${serviceLoginOf(prefix)}`);
  } finally {
    await admin.end();
  }
}

async function run(url: string, sql: string): Promise<void> {
  const client = await openClient(url);
  await client.query(sql).finally(() => client.end());
}

/** The database with control, and the neighbour's cell, where the tested cell has one of its own. */
async function makeControl(adminUrl: string, name: string): Promise<string> {
  await run(adminUrl, `create database ${controlOf(name)}`);
  const url = databaseUrl(adminUrl, controlOf(name));
  await migrate(inSchema(url, schemaBeside ?? usualSchema));
  await makeLogin(adminUrl, name);
  return urlOfLogin(url, serviceLoginOf(name));
}

async function makePlain(adminUrl: string, name: string): Promise<void> {
  await run(adminUrl, `create database ${plainOf(name)}`);
  await migrate(inSchema(databaseUrl(adminUrl, plainOf(name)), testSchema));
}

async function makeLogin(adminUrl: string, name: string): Promise<void> {
  const login = serviceLoginOf(name);
  await run(adminUrl, `create role ${login} login password '${login}' in role ${serviceRole}`);
}

/**
 * The template that is cloned. A cluster that `npm ci` prepared has our tables in `postgres`: what is copied from
 * there needs no migration.
 */
async function makeTemplate(adminUrl: string, name: string, isPrepared: boolean): Promise<void> {
  const controlUrl = isRemote ? await makeControl(adminUrl, name) : null;
  const from = isPrepared && testSchema === usualSchema && !isRemote ? 'template postgres' : '';
  await run(adminUrl, `create database ${name} ${from} strategy file_copy`);
  const url = inSchema(databaseUrl(adminUrl, name), testSchema);
  await run(url, makeTestSchema);
  await migrate(url, { controlUrl });
  if (isRemote) return makePlain(adminUrl, name);
  if (schemaBeside !== null) await migrate(inSchema(url, schemaBeside));
  await makeLogin(adminUrl, name);
}

/** vitest would end at once on a signal; the exit handlers must run first. */
function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}

interface Running {
  readonly adminUrl: string;
  readonly testPrefix: string;
  stop(): Promise<void>;
}

/** Starts one embedded server (or takes TEST_DATABASE_URL, whose user may create databases) with the template. */
async function startServer(): Promise<Running> {
  exitOnSignals();
  const external = process.env.TEST_DATABASE_URL;
  const testPrefix = `tpay_test_${randomBytes(6).toString('hex')}`;
  const server = external ? { url: external, stop: async () => {} } : await startThrowAwayServer();
  async function stop(): Promise<void> {
    if (external) await dropDatabases(external, testPrefix);
    await server.stop();
  }
  try {
    await makeTemplate(server.url, testPrefix, external === undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  return { adminUrl: server.url, testPrefix, stop };
}

/** The projects of a run share a server. Each has this module for itself, so the process keeps it for all. */
const shared = globalThis as { testServer?: Promise<Running>; testProjects?: number };

/** Gives the test files of a project the server, from whose template `testDatabase()` clones. */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  shared.testServer ??= startServer();
  shared.testProjects = (shared.testProjects ?? 0) + 1;
  const { adminUrl, testPrefix, stop } = await shared.testServer;
  project.provide('adminUrl', adminUrl);
  project.provide('testPrefix', testPrefix);
  return async () => {
    shared.testProjects = (shared.testProjects ?? 0) - 1;
    if (shared.testProjects === 0) await stop();
  };
}
