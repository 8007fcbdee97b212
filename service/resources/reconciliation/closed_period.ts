import type pg from 'pg';

/** Less than a job's lease: a read that takes longer fails, and its job is tried again. */
const deadlineMs = 25_000;

/** Runs one query of the read transaction; column types are those of `column_types.ts`. */
export type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/**
 * Makes every batch that was decided earlier fail at its commit, because a batch is proven against
 * the Tenant's revision. After this, a period that is over cannot change any more
 * (rules/reports#2).
 */
async function raiseTenantRevision(pool: pg.Pool, tenantId: string): Promise<void> {
  await pool.query('update tenants set revision = revision + 1 where tenant_id = $1', [tenantId]);
}

/**
 * Reads a period that is over, in one snapshot and a read transaction of its own (rules/reports#2).
 */
export async function readClosedPeriod<T>(
  pool: pg.Pool,
  tenantId: string,
  read: (query: Query) => Promise<T>,
): Promise<T> {
  await raiseTenantRevision(pool, tenantId);
  const client = await pool.connect();
  const query: Query = async (text, values) => {
    const config = { text, values, query_timeout: deadlineMs };
    return (await client.query(config)).rows;
  };
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(`set local statement_timeout = ${deadlineMs}`);
    const found = await read(query);
    await client.query('commit');
    return found;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // With an error the pool closes the client: its transaction may still be open.
    client.release(failure);
  }
}
