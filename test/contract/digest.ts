import type pg from 'pg';

/** Tables of requests themselves, which are no records. */
const ofRequests = ['access_tokens', 'requests', 'processes'];

/**
 * A digest of every row of every Tenant, or of all that one Tenant has: a line for each table. A row counts by
 * the transaction that wrote it, so one that is written as it was differs too.
 */
export async function digestOf(pool: pg.Pool, tenantId?: string): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and a.attname = 'tenant_id' and c.relname <> all($1)
      order by 1`,
    [tenantId ? [] : ofRequests],
  );
  const parts = tables.map(
    ({
      name,
    }) => `select '${name} ' || count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as part
      from ${name} where $1::uuid is null or tenant_id = $1`,
  );
  const { rows } = await pool.query<{ part: string }>(parts.join(' union all '), [tenantId]);
  // PostgreSQL may read the tables in parallel, in any order.
  return rows
    .map(({ part }) => part)
    .sort()
    .join('\n');
}
