import { type IdKind, idPrefixes, publicId } from '@tenant-payments/contract/core/ids.ts';
import type pg from 'pg';

/** Where the ids of a kind stand, and what tells its records apart. */
interface Source {
  readonly from: string;
  readonly state: string;
}

/** A new kind needs a row. */
const sources: Readonly<Record<IdKind, Source>> = {
  customer: { from: 'customers', state: 'status' },
  account: { from: 'accounts', state: 'status' },
  session: { from: 'sessions', state: `flow || status || coalesce(target_type, '')` },
  linked_account: { from: 'linked_accounts', state: 'status' },
  load: { from: 'loads', state: 'status' },
  payment_request: { from: 'payment_requests', state: 'type || status' },
  payment: { from: 'payments', state: 'source || status' },
  withdrawal: { from: 'withdrawals', state: 'status' },
  refund: { from: 'refunds', state: 'status' },
  dispute: { from: 'disputes', state: 'status' },
  transaction: { from: 'entries', state: `coalesce(transaction_type, 'none')` },
  statement: { from: 'statements', state: `''` },
  owner: { from: 'owners', state: 'status' },
  document_acceptance: { from: 'documents', state: 'status' },
  event: { from: 'events', state: 'object_type' },
  request: { from: 'requests', state: 'method' },
  adjustment: { from: 'suspense', state: 'status' },
  bank_message: { from: 'bank_messages', state: 'status' },
};

/** What a tenant's records are called. */
export interface Ids {
  /** One id of each kind and state, as the wire writes them. */
  readonly samples: readonly string[];
  /** Every id of the tenant's, so that one which leaks is seen. */
  readonly all: ReadonlySet<string>;
}

/** @throws when the tenant has no record of some kind */
export async function idsOf(pool: pg.Pool, tenantId: string): Promise<Ids> {
  const samples: string[] = [];
  const all = new Set<string>();
  for (const kind of Object.keys(idPrefixes) as IdKind[]) {
    const { from, state } = sources[kind];
    const { rows } = await pool.query<{ id: string; state: string }>(
      `select id, ${state} as state from ${from} where tenant_id = $1 order by id`,
      [tenantId],
    );
    if (rows.length === 0) throw new Error(`the tenant has no ${kind}`);
    const byState = new Map(rows.map(({ id, state }) => [state, publicId(kind, id)]));
    samples.push(...byState.values());
    for (const { id } of rows) all.add(publicId(kind, id));
  }
  return { samples, all };
}

/**
 * Every row of a tenant's, as a line for each table: what differs afterwards was changed. Rows without
 * version or event are among them, and what was asked of it over HTTP.
 */
export async function rowsOf(pool: pg.Pool, tenantId: string): Promise<string[]> {
  const tables = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'tenant_id' order by table_name`,
  );
  const parts = tables.rows.map(
    ({ name }) => `select '${name} ' || count(*) || ' '
      || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as line
      from ${name} t where tenant_id = $1`,
  );
  const { rows } = await pool.query<{ line: string }>(parts.join(' union all '), [tenantId]);
  return rows.map(({ line }) => line);
}
