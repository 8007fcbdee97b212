import { openClient } from '@tenant-payments/engine/database/pool.ts';
import type { Client } from 'pg';
import {
  appliedChecksums,
  type Cell,
  cellSql,
  changedText,
  checkVersion,
  lacksSchema,
  needsOwner,
  strangeFault,
} from './migrate.ts';
import { MIGRATIONS, type Migration, readMigrations } from './migration_files.ts';
import { classOf } from './migration_rules.ts';
import { controlSchema, ourSchemas } from './service_role.ts';

/** The changes that `migrate` would make (rules/operations#48). */
export interface MigrationPlan {
  /** The names that it would apply, in their order. */
  readonly waiting: readonly string[];
  /** The same names, each with what it asks of the processes that run meanwhile (rules/engine#41). */
  readonly classes: readonly string[];
  /** Applied by a newer release, whose files are not here. */
  readonly unknown: readonly string[];
  /** Why it would fail; empty: nothing that can be seen before. */
  readonly obstacles: readonly string[];
}

async function hasTable(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "select to_regclass('schema_migrations') is not null as found",
  );
  return rows[0]?.found ?? false;
}

/** Whether the login may create tables and the schema, and alter what is there. */
const rightsSql = `
  select has_schema_privilege(current_schema(), 'create') as creates,
    not exists (select from pg_class c where c.relkind in ('r', 'p')
      and c.relnamespace in ${ourSchemas}
      and not pg_has_role(current_user, c.relowner, 'usage')) as owns,
    to_regnamespace('${controlSchema}') is not null
      or has_database_privilege(current_database(), 'create') as controls,
    quote_ident(current_user) as login`;

interface Rights {
  readonly creates: boolean;
  readonly owns: boolean;
  readonly controls: boolean;
  readonly login: string;
}

function* lacking({ creates, owns, controls, login }: Rights): Iterable<string> {
  if (!(creates && owns)) yield `The login ${login} may not change the tables; ${needsOwner}.`;
  else if (!controls)
    yield `The login ${login} may not create the schema ${controlSchema}. Run as the owner of the database: ` +
      `create schema ${controlSchema} authorization ${login};`;
}

async function obstaclesOf(
  client: Client,
  migrations: readonly Migration[],
  known: ReadonlyMap<string, string>,
): Promise<string[]> {
  const found: string[] = [];
  await checkVersion(client).catch((error: Error) => found.push(error.message));
  const strange = strangeFault(known);
  if (strange !== null) found.push(strange);
  for (const one of migrations) {
    const before = known.get(one.name);
    if (before !== undefined && before !== one.checksum) found.push(changedText(one));
  }
  const [cell] = (await client.query<Cell>(cellSql)).rows;
  // Made by the first migration, whose login then owns all that is in it.
  if (cell && !cell.hasSchema) return cell.mayCreate ? found : [...found, lacksSchema(cell)];
  const { rows } = await client.query<Rights>(rightsSql);
  return [...found, ...rows.flatMap((rights) => [...lacking(rights)])];
}

function classLineOf({ name, sql }: Migration): string {
  const { class: is, detail } = classOf(name, sql) ?? { class: 'unknown', detail: '' };
  return `${name}: ${is}${detail === '' ? '' : `, ${detail}`}`;
}

/**
 * Looks at a database without changing it.
 * @param folder the migrations' folder, when it is another one
 */
export async function planMigrations(url: string, folder = MIGRATIONS): Promise<MigrationPlan> {
  const migrations = await readMigrations(folder);
  const client = await openClient(url);
  try {
    const known = (await hasTable(client)) ? await appliedChecksums(client) : new Map();
    const names = migrations.map(({ name }) => name);
    const waiting = migrations.filter(({ name }) => !known.has(name));
    return {
      waiting: waiting.map(({ name }) => name),
      classes: waiting.map(classLineOf),
      unknown: [...known.keys()].filter((name) => !names.includes(name)),
      obstacles: await obstaclesOf(client, migrations, known),
    };
  } finally {
    await client.end();
  }
}

/** The names that this release has and the database lacks; a login that may not look sees none. */
export async function waitingMigrations(url: string): Promise<readonly string[]> {
  const names = (await readMigrations(MIGRATIONS)).map(({ name }) => name);
  const client = await openClient(url);
  try {
    if (!(await hasTable(client))) return names;
    const known = await appliedChecksums(client);
    return names.filter((name) => !known.has(name));
  } catch (error) {
    // `openServiceLogin` says what to grant.
    if ((error as { code?: string }).code === '42501') return [];
    throw error;
  } finally {
    await client.end();
  }
}
