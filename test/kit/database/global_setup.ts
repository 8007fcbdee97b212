import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { inSchema, usualSchema } from '../../../service/db/cell.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { openClient } from '../../../service/db/pool.ts';
import { serviceRole } from '../../../service/db/service_role.ts';
import { buildIfStale } from '../processes/built.ts';
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
    /** What every database of this run is called first, the template being the name itself. */
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

async function makeTemplate(adminUrl: string, name: string): Promise<void> {
  const controlUrl = isRemote ? await makeControl(adminUrl, name) : null;
  await run(adminUrl, `create database ${name}`);
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
}

/**
 * Builds what has changed, and starts one embedded server for the test files of a project (or takes TEST_DATABASE_URL, whose user may create
 * databases), and migrates the template that `testDatabase()` clones.
 */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  exitOnSignals();
  await buildIfStale();
  const external = process.env.TEST_DATABASE_URL;
  const prefix = `tpay_test_${randomBytes(6).toString('hex')}`;
  const server = external ? { url: external, stop: async () => {} } : await startThrowAwayServer();
  async function teardown(): Promise<void> {
    if (external) await dropDatabases(external, prefix);
    await server.stop();
  }
  try {
    await makeTemplate(server.url, prefix);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('adminUrl', server.url);
  project.provide('testPrefix', prefix);
  return teardown;
}
