import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClient } from '../../engine/database/pool.ts';
import { migrate } from '../../service/db/migrate.ts';
import { MIGRATIONS } from '../../service/db/migration_files.ts';

/** Every table of ours, as a migration names it. */
const tablesSql = `select case n.nspname when 'control' then 'control.' else '' end || quote_ident(c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in (current_schema(), 'control') and c.relkind in ('r', 'p') order by 1`;

/** The changes that the first migrations of a next release may make to each table, a file for each. */
const changesOf = (table: string, at: number): readonly string[] => [
  `alter table ${table} add column probe_${at} text not null default 'probe'`,
  `alter table ${table} add column probed_${at} integer`,
];

/**
 * Migrates a database as a next release would while this one runs: new columns in every table, a table, and an index
 * that is made concurrently.
 * @returns how many migrations it applied
 */
export async function migrateAhead(url: string): Promise<number> {
  const client = await openClient(url);
  const { rows } = await client.query<{ name: string }>(tablesSql);
  await client.end();
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  try {
    await cp(MIGRATIONS, folder, { recursive: true });
    const payments = rows.findIndex(({ name }) => name === 'payments');
    const files = [
      ...rows.map(({ name }, at) => changesOf(name, at)),
      ['create table probes (tenant_id uuid primary key, at timestamptz not null)'],
      [`create index concurrently probe_index on payments (tenant_id, probed_${payments})`],
    ];
    for (const [at, statements] of files.entries())
      await writeFile(
        join(folder, `${9000 + at}_probe.sql`),
        `-- class: online\n${statements.join(';\n')};\n`,
      );
    return (await migrate(url, { folder })).applied.length;
  } finally {
    await rm(folder, { recursive: true });
  }
}
