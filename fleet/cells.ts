import { withOptions } from '@tenant-payments/engine/database/cell.ts';
import { openClient } from '@tenant-payments/engine/database/pool.ts';
import { serviceRole } from '@tenant-payments/service/db/service_role.ts';
import type { Client } from 'pg';

/** A cell of a database, with what it holds. */
export interface FoundCell {
  readonly name: string;
  readonly tenants: number;
  /** The size of its tables and their indexes. */
  readonly bytes: number;
  /** Whether the service's role may use its schema; migrations give it the rights on tables. */
  readonly isServed: boolean;
}

/** The same database by another of its cells: of several settings of a session the last one holds. */
export const urlOfCell = (url: string, name: string): string =>
  withOptions(url, `-c search_path=${name}`);

/** Runs `work` with a connection of its own. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await openClient(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Schemas with tables of ours; another program's may have a table of migrations too. */
const cellsSql = `
  select n.nspname as name,
    has_schema_privilege('${serviceRole}', n.oid, 'usage') as "isServed",
    sum(pg_total_relation_size(c.oid))::double precision as bytes
  from pg_namespace n join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p')
  group by n.oid, n.nspname
  having count(*) filter (where c.relname in ('schema_migrations', 'tenants', 'entries')) = 3
  order by n.nspname`;

/** Every cell of a database, by name. @param url a login that may read them all */
export const cellsOf = (url: string): Promise<FoundCell[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<Omit<FoundCell, 'tenants'>>(cellsSql);
    const found: FoundCell[] = [];
    for (const cell of rows) {
      const counted = await client.query<{ tenants: number }>(
        `select count(*)::integer as tenants from ${client.escapeIdentifier(cell.name)}.tenants`,
      );
      found.push({ ...cell, tenants: counted.rows[0]?.tenants ?? 0 });
    }
    return found;
  });
