/** Every table that a check may name; a test compares the list with the catalog. */
export const checkedTables = [
  'tenants',
  'clients',
  'client_secrets',
  'access_tokens',
  'webhook_endpoints',
  'webhook_secrets',
  'further_endpoints',
  'signed_alone',
  'customers',
  'customer_messages',
  'notices',
  'pins',
  'passkeys',
  'owners',
  'documents',
  'document_versions',
  'document_publications',
  'legal_texts',
  'term_changes',
  'waiting_terms',
  'sessions',
  'session_progress',
  'accounts',
  'balances',
  'entries',
  'ledger_checkpoints',
  'ledger_checkpoint_accounts',
  'linked_accounts',
  'link_tokens',
  'exchanges',
  'limit_counters',
  'payout_sums',
  'loads',
  'payment_requests',
  'payments',
  'withdrawals',
  'refunds',
  'disputes',
  'pending_transactions',
  'fee_sweeps',
  'reconciliation_reports',
  'statements',
  'statement_positions',
  'statement_runs',
  'suspense',
  'received_money',
  'return_requests',
  'rail_messages',
  'bank_messages',
  'reviews',
  'review_cases',
  'review_notes',
  'approvals',
  'approval_sums',
  'instructions',
  'jobs',
  'events',
  'event_retention',
  'deliveries',
  'attempts',
  'further_deliveries',
  'further_attempts',
  'idempotency',
  'reseals',
] as const;

const names = (sql: string, table: string) => new RegExp(`\\b${table}\\b`).test(sql);

export type CheckedTable = (typeof checkedTables)[number];

/** SQL conditions on the rows of tables, besides the Tenant's, which stands for `$tenant` in them. */
export type Conditions = Readonly<Partial<Record<CheckedTable, string>>>;

/**
 * A query over all tenants, or over the rows of some: a CTE replaces the table of the same name. NOT
 * MATERIALIZED, so that the tables' indexes are still used.
 * @param tenants an SQL condition on `tenant_id`; null: all tenants
 * @param also further conditions, which may name tables of the same Tenant
 */
export function scopedQuery(sql: string, tenants: string | null, also: Conditions = {}): string {
  if (tenants === null) return sql;
  const hidden = checkedTables
    .filter((table) => names(sql, table))
    .map((table) => {
      const own = also[table]?.replaceAll('$tenant', tenants);
      const where = own === undefined ? tenants : `${tenants} and ${own}`;
      return `${table} as not materialized (select * from ${table} where ${where})`;
    });
  return `with ${hidden.join(',\n')} select * from (${sql}) in_scope`;
}
