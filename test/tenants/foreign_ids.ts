import { type IdKind, idPrefixes, publicId } from '@tenant-payments/contract/core/ids.ts';
import type pg from 'pg';

/** The table of each kind's ids, and what tells its records apart. */
const sources: Readonly<Record<IdKind, readonly [table: string, state: string]>> = {
  customer: ['customers', 'status'],
  account: ['accounts', 'status'],
  session: ['sessions', `flow || status || coalesce(target_type, '')`],
  linked_account: ['linked_accounts', 'status'],
  load: ['loads', 'status'],
  payment_request: ['payment_requests', 'type || status'],
  payment: ['payments', 'source || status'],
  withdrawal: ['withdrawals', 'status'],
  refund: ['refunds', 'status'],
  dispute: ['disputes', 'status'],
  transaction: ['entries', `coalesce(transaction_type::text, 'none')`],
  statement: ['statements', `''`],
  owner: ['owners', 'status'],
  document_acceptance: ['documents', 'status'],
  event: ['events', 'object_type'],
  request: ['requests', 'method'],
  adjustment: ['suspense', 'status'],
  bank_message: ['bank_messages', 'status'],
  approval: ['approvals', 'status'],
  return_request: ['return_requests', 'status'],
  notice: ['notices', 'status'],
};

/** Public ids of a Tenant: one of each kind and state, and all there are. */
export interface Ids {
  readonly samples: readonly string[];
  readonly all: ReadonlySet<string>;
}

/** @throws when the tenant has no record of some kind */
export async function idsOf(pool: pg.Pool, tenantId: string): Promise<Ids> {
  const samples: string[] = [];
  const all = new Set<string>();
  for (const kind of Object.keys(idPrefixes) as IdKind[]) {
    const [table, state] = sources[kind];
    const { rows } = await pool.query<{ id: string; state: string }>(
      `select id, ${state} as state from ${table} where tenant_id = $1 order by id`,
      [tenantId],
    );
    if (rows.length === 0) throw new Error(`the tenant has no ${kind}`);
    const byState = new Map(rows.map(({ id, state }) => [state, publicId(kind, id)]));
    samples.push(...byState.values());
    for (const { id } of rows) all.add(publicId(kind, id));
  }
  return { samples, all };
}
