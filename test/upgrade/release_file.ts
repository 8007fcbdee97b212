import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { openClient } from '../../engine/database/pool.ts';
import { migrate } from '../../service/db/migrate.ts';
import { MIGRATIONS, readMigrations } from '../../service/db/migration_files.ts';

/** The rows that a release has left in a database, in one file for each release. */

const folder = fileURLToPath(new URL('./releases/', import.meta.url));
const ending = '.sql.gz';

/** The first line of a file: what else is needed to go on with its rows. */
export interface ReleaseFacts {
  readonly release: string;
  /** The last migration that the release had. */
  readonly migration: string;
  /** The instant at which the rows were kept. */
  readonly at: string;
  /** The client of the Tenant with records in every state. */
  readonly client_id: string;
  readonly client_secret: string;
}

/** The rows of one table. */
interface TableRows {
  /** The table as a statement names it: a cell's tables have no schema before them. */
  readonly table: string;
  readonly columns: string;
  /** The rows as COPY has written them. */
  readonly rows: string;
}

export interface Release extends ReleaseFacts {
  readonly tables: readonly TableRows[];
}

/** Every table with rows of ours. Migrations write their own. */
const catalog = `select
    case n.nspname when 'control' then 'control.' else '' end || quote_ident(c.relname) as table,
    string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where n.nspname in (current_schema(), 'control') and c.relkind = 'r'
    and c.relname not in ('schema_migrations', 'migrations')
  group by n.nspname, c.relname order by 1`;

async function* tablesOf(client: Client): AsyncGenerator<TableRows> {
  const { rows: found } = await client.query<Omit<TableRows, 'rows'>>(catalog);
  for (const { table, columns } of found) {
    const rows = await text(client.query(copyTo(`copy ${table} (${columns}) to stdout`)));
    if (rows !== '') yield { table, columns, rows };
  }
}

/** Keeps all rows of a database in the file of a release. @returns the file's path */
export async function writeRelease(
  url: string,
  facts: Omit<ReleaseFacts, 'migration'>,
): Promise<string> {
  const migration = (await readMigrations(MIGRATIONS)).at(-1)?.name;
  const lines = [`-- ${JSON.stringify({ ...facts, migration })}\n`];
  const client = await openClient(url);
  try {
    for await (const { table, columns, rows } of tablesOf(client))
      lines.push(`copy ${table} (${columns}) from stdin;\n${rows}\\.\n`);
  } finally {
    await client.end();
  }
  const file = join(folder, `${facts.release}${ending}`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, gzipSync(lines.join(''), { level: 9 }));
  return file;
}

/** The releases that have a file, the oldest first. */
export async function keptReleases(): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(ending));
  return files
    .map((file) => file.slice(0, -ending.length))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

export async function readRelease(release: string): Promise<Release> {
  const whole = gunzipSync(await readFile(join(folder, `${release}${ending}`))).toString('utf8');
  const facts: ReleaseFacts = JSON.parse(whole.slice(3, whole.indexOf('\n')));
  const copies = whole.matchAll(/^copy (\S+) \((.+)\) from stdin;\n([\s\S]*?)^\\\.$/gm);
  const tables = [...copies].map(([, table = '', columns = '', rows = '']) => ({
    table,
    columns,
    rows,
  }));
  return { ...facts, tables };
}

/** The migrations that a release had, in a folder of their own. */
async function migrationsUpTo(last: string): Promise<string> {
  const own = await mkdtemp(join(tmpdir(), 'migrations-'));
  for (const { name } of await readMigrations(MIGRATIONS))
    if (name <= last) await symlink(join(MIGRATIONS, `${name}.sql`), join(own, `${name}.sql`));
  return own;
}

async function fill(client: Client, tables: readonly TableRows[]): Promise<void> {
  // Triggers would write again what they wrote before the rows were kept.
  await client.query('set session_replication_role = replica');
  for (const { table, columns, rows } of tables)
    await pipeline(
      Readable.from([rows]),
      client.query(copyFrom(`copy ${table} (${columns}) from stdin`)),
    );
  await client.query('set session_replication_role = origin');
  // A cell may have another name than the one whose rows were kept.
  await client.query('update control.tenants set cell = current_schema()');
}

/**
 * Makes the database of a release, and brings it up to date as an upgrade does.
 * @param url a database without any table of ours, as a superuser reaches it
 */
export async function upgradeFrom(url: string, release: Release): Promise<void> {
  await migrate(url, { folder: await migrationsUpTo(release.migration) });
  const client = await openClient(url);
  await fill(client, release.tables).finally(() => client.end());
  await migrate(url);
}
