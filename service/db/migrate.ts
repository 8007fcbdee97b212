import { openClient } from '@tenant-payments/engine/database/pool.ts';
import type { Client, DatabaseError } from 'pg';
import { MIGRATIONS, type Migration, readMigrations } from './migration_files.ts';
import {
  inLockedTransaction,
  LockWait,
  lockTimeoutMs,
  retryingLockWaits,
  sendPatiently,
  underMigrationLock,
} from './migration_lock.ts';
import { indexOf, isConcurrent } from './migration_rules.ts';
import { onThisNode, prepareRemoteControl } from './remote_control.ts';
import { prepareServiceRole } from './service_role.ts';
import { ofControl, singleChanges, statementsOf, undividedText } from './statements.ts';

const OLDEST_VERSION = 15;

export const needsOwner =
  'a login that owns the tables applies migrations, and stands in MIGRATION_DATABASE_URL';

/** The first migration of states before 1.0, whose databases nobody runs. */
const beforeBaseline = '0001_foundation';

/** Why this release cannot migrate what another has made; null: it can. */
export const strangeFault = (known: ReadonlyMap<string, string>): string | null =>
  known.has(beforeBaseline)
    ? 'The database was made before version 1.0, which this release does not migrate: begin with a new one.'
    : null;

export const changedText = ({ name }: Migration): string =>
  `Migration ${name} was changed after it was applied to this database; ` +
  'restore the file and put the change into a new one.';

interface VersionRow {
  readonly version: string;
  readonly number: string;
}

/** The part of a client that the version check needs. */
interface VersionSource {
  query(sql: string): Promise<{ rows: unknown[] }>;
}

/** @throws one line when the server is older than PostgreSQL 15 (rules/engine#16) */
export async function checkVersion(client: VersionSource): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version') as version,
            current_setting('server_version_num') as number`,
  );
  const row = rows[0] as VersionRow | undefined;
  if (row === undefined || Number(row.number) < OLDEST_VERSION * 10_000) {
    throw new Error(
      `PostgreSQL ${OLDEST_VERSION} or newer is needed; the database runs ${row?.version}.`,
    );
  }
}

export async function appliedChecksums(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** How a file is applied. */
interface Applying {
  /** The cell has no rows yet. */
  readonly isNew: boolean;
  /** The time for which a statement waits for a lock; 0: for ever. */
  readonly lockMs: number;
}

/** False when it was applied before, by this or another process. */
async function apply(client: Client, migration: Migration, applying: Applying): Promise<boolean> {
  const before = (await appliedChecksums(client)).get(migration.name);
  if (before === migration.checksum) return false;
  if (before !== undefined) {
    throw new Error(changedText(migration));
  }
  try {
    await runStatements(client, migration, applying);
  } catch (error) {
    if (error instanceof LockWait) throw error;
    const { message, code } = error as DatabaseError;
    const hint = code === '42501' ? `; ${needsOwner}` : '';
    throw new Error(`Migration ${migration.name} failed: ${message}${hint}`, { cause: error });
  }
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
    migration.name,
    migration.checksum,
  ]);
  await client.query(noteInControl);
  return true;
}

/**
 * Whether another cell has done this migration's part in control.
 * @throws where it has not, and control is another database's
 */
async function isDoneInControl(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ kind: string }>(
    `select relkind as kind from pg_class where oid = to_regclass('control.migrations')`,
  );
  if (!rows[0]) return false;
  const { rowCount } = await client.query('select from control.migrations where name = $1', [name]);
  if (rowCount === 0 && rows[0].kind === 'f')
    throw new Error('the schema control is in another database, which must be migrated first');
  return rowCount === 1;
}

/** Only where the table is: on another server the cells there have noted it. */
const noteInControl = `do $$ begin if exists (select from pg_class
    where oid = to_regclass('control.migrations') and relkind = 'r') then
  insert into control.migrations (name) select name from schema_migrations on conflict do nothing;
end if; end $$`;

/**
 * Whether a statement changes rows that are there, or makes more of them: a new cell has none, and Citus cannot run all
 * of it.
 */
const ofRows = (statement: string): boolean =>
  /^(?:update|delete|with)\b/i.test(statement) ||
  (/^insert\b/i.test(statement) && /\bfrom\b/i.test(statement.replaceAll(undividedText, '')));

/** An index that a stop has left half-made is made anew; one that is there is left. */
async function makeConcurrently(client: Client, statement: string): Promise<void> {
  const made = indexOf(statement);
  if (made) {
    const { rows } = await client.query<{ name: string; valid: boolean }>(
      `select i.oid::regclass::text as name, x.indisvalid as valid
       from pg_index x join pg_class i on i.oid = x.indexrelid
       where i.relname = $1 and i.relnamespace = coalesce($2, quote_ident(current_schema()))::regnamespace`,
      [made.index, made.schema],
    );
    if (rows[0]?.valid) return;
    if (rows[0]) await client.query(`drop index concurrently ${rows[0].name}`);
  }
  await client.query(statement);
}

/** Each statement in a query of its own: of several in one, Citus distributes none. */
async function runStatements(
  client: Client,
  { name, sql }: Migration,
  { isNew, lockMs }: Applying,
): Promise<void> {
  const isDone = await isDoneInControl(client, name);
  await client.query(`select set_config('lock_timeout', '${lockMs}', $1)`, [!isConcurrent(sql)]);
  for (const statement of statementsOf(sql)) {
    const isOfControl = ofControl.test(statement);
    if (isOfControl ? isDone : isNew && ofRows(statement)) continue;
    if (isConcurrent(sql)) await makeConcurrently(client, statement);
    else for (const change of singleChanges(statement)) await sendPatiently(client, change);
  }
}

/** The query for a session's cell: its settings, and whether it is there. */
export const cellSql = `select current_schema() is not null as "hasSchema",
  to_regclass('schema_migrations') is not null as "hasTable",
  has_database_privilege(current_database(), 'create') as "mayCreate",
  quote_ident(current_setting('search_path')) as schema, quote_ident(current_user) as login`;

export interface Cell {
  readonly hasSchema: boolean;
  readonly hasTable: boolean;
  readonly mayCreate: boolean;
  readonly schema: string;
  readonly login: string;
}

/** The statement that the owner of the database runs where the login may not make the schema of its cell. */
export const lacksSchema = ({ schema, login }: Cell): string =>
  `The login ${login} may not create the schema ${schema}. Run as the owner of the database: ` +
  `create schema ${schema} authorization ${login};`;

async function createTable(client: Client): Promise<void> {
  const [cell] = (await client.query<Cell>(cellSql)).rows;
  if (!cell || cell.hasTable) return;
  if (!cell.hasSchema) {
    if (!cell.mayCreate) throw new Error(lacksSchema(cell));
    await inLockedTransaction(client, () =>
      client.query(`create schema if not exists ${cell.schema}`),
    );
  }
  await inLockedTransaction(client, () =>
    client.query(`create table if not exists schema_migrations (
      name text primary key,
      applied_at timestamptz not null default now(),
      checksum text not null
    )`),
  );
}

/** The migrations of this release. */
const namesIn = async (folder: string): Promise<string[]> =>
  (await readMigrations(folder)).map(({ name }) => name);

/** Only for what is in this database: the cells on a node of Citus are its coordinator's. */
async function makeControlBy(client: Client, controlUrl: string, folder: string): Promise<void> {
  const names = await namesIn(folder);
  await inLockedTransaction(client, () => prepareRemoteControl(client, controlUrl, names));
}

const prepareRole = (client: Client, isRemote: boolean) =>
  inLockedTransaction(client, async () => {
    if (isRemote) await client.query(onThisNode);
    await prepareServiceRole(client);
  });

/**
 * Makes the schema control of another database the one of this one, and changes nothing else.
 * @throws as `migrate`
 */
export async function makeControl(url: string, controlUrl: string): Promise<void> {
  const client = await openClient(url);
  try {
    await makeControlBy(client, controlUrl, MIGRATIONS);
    await prepareRole(client, true);
  } finally {
    await client.end();
  }
}

/** How a cell is migrated. */
export interface Migrating {
  readonly folder?: string;
  readonly controlUrl?: string | null;
  /** Is told what a migration waits for. */
  readonly tell?: (line: string) => void;
  readonly lockMs?: number;
}

/**
 * Brings a database up to date: each new file of `service/db/migrations` in a transaction of its
 * own, in the order of their numbers, one process at a time. Then grants the service's role its rights.
 * @param url a database whose user may create tables in it
 * @param more.folder the files' folder, when it is another one
 * @param more.controlUrl the database that has the schema control, where it is another one
 * @param more.lockMs so long a statement waits for a lock, before its migration is tried again
 * @returns the names that were applied now, without `.sql`
 * @throws when the server is too old, when a file that was applied has been changed, and with the
 *   file's name when its SQL fails; files before it stay applied
 */
export async function migrate(
  url: string,
  {
    folder = MIGRATIONS,
    controlUrl = null,
    tell = () => {},
    lockMs = lockTimeoutMs,
  }: Migrating = {},
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  const client = await openClient(url);
  try {
    await checkVersion(client);
    if (controlUrl !== null) await makeControlBy(client, controlUrl, folder);
    await createTable(client);
    const known = await appliedChecksums(client);
    const fault = strangeFault(known);
    if (fault !== null) throw new Error(fault);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (known.get(migration.name) === migration.checksum) continue;
      const isNew = known.size === 0;
      // A concurrent statement waits for others without keeping anybody from a table.
      const isDone = isConcurrent(migration.sql)
        ? await underMigrationLock(client, () => apply(client, migration, { isNew, lockMs: 0 }))
        : await retryingLockWaits(client, migration.name, tell, () =>
            inLockedTransaction(client, () => apply(client, migration, { isNew, lockMs })),
          );
      if (isDone) applied.push(migration.name);
    }
    await prepareRole(client, controlUrl !== null);
    return { applied };
  } finally {
    await client.end();
  }
}
