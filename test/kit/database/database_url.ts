import { usualSchema } from '../../../engine/database/cell.ts';

/** The same server, login and parameters with another database. */
export function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The same database by another login, whose password is its name: for a server of the tests alone. */
export function urlOfLogin(url: string, login: string): string {
  const changed = new URL(url);
  changed.username = login;
  changed.password = login;
  return changed.href;
}

/** The service's login on the server of a test run, a member of its role. */
export const serviceLoginOf = (testPrefix: string): string => `${testPrefix}_service`;

/** The schema of the tables of every test: `TEST_CELL_SCHEMA=cell_b` runs a suite as another cell would. */
export const testSchema = process.env.TEST_CELL_SCHEMA ?? usualSchema;

/** A second cell that every test server serves too (see test/kit/neighbour.ts); null: none. */
export const schemaBeside = process.env.TEST_CELL_BESIDE ?? null;

/** Whether the tested cell then has a database of its own, without the neighbour and without control. */
export const isRemote = schemaBeside !== null && process.env.TEST_CELL_REMOTE === '1';

/** The database's words for who changes what control only appends to; its owner is not a remote cell's. */
export const appendOnly = isRemote ? /permission denied/ : /append-only/;

/** The name of the database with the control of a database of that kind. */
export const controlOf = (database: string): string => `${database}_control`;

/** A template of one cell beside its control, for tests whose subject is that. */
export const plainOf = (template: string): string => (isRemote ? `${template}_plain` : template);

/** Makes that schema. */
export const makeTestSchema = `create schema if not exists ${testSchema}`;
