import type pg from 'pg';

/** Less than a job's lease: what takes longer is tried again by itself. */
const deadlineMs = 25_000;

/** Sends one query of a read that may take long; rows come as `column_types.ts` says. */
export type Ask = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/**
 * From here on no batch can commit that decided before: every batch is proven against its tenant's
 * revision. So what is over on the tenant's clock is all there, however long a process was stopped
 * between its verdict and its commit (decisions 2.3: once no batch older than the day's end is open).
 */
async function raiseTenantRevision(pool: pg.Pool, tenantId: string): Promise<void> {
  await pool.query('update tenants set revision = revision + 1 where tenant_id = $1', [tenantId]);
}

/** Reads what is over, in one snapshot and a read transaction of its own (decisions 2.5). */
export async function readClosedPeriod<T>(
  pool: pg.Pool,
  tenantId: string,
  read: (ask: Ask) => Promise<T>,
): Promise<T> {
  await raiseTenantRevision(pool, tenantId);
  const client = await pool.connect();
  const ask: Ask = async (text, values) => {
    const query = { text, values, query_timeout: deadlineMs };
    return (await client.query(query)).rows;
  };
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(`set local statement_timeout = ${deadlineMs}`);
    const found = await read(ask);
    await client.query('commit');
    return found;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A client whose transaction is still open is not given back.
    client.release(failure);
  }
}
