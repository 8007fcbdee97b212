import type { Check } from '../check.ts';
import type { checkedTables } from '../scope.ts';

/** Every column narrower than 64 bits; a test compares the list with the catalog. */
export const narrowColumns: Readonly<
  Partial<Record<(typeof checkedTables)[number], readonly string[]>>
> = {
  access_tokens: ['epoch'],
  accounts: ['waiting_claims', 'version', 'revision'],
  approval_sums: ['revision'],
  approvals: ['revision'],
  attempts: ['number', 'response_status', 'duration_ms'],
  balances: ['entry_count', 'account_revision'],
  bank_messages: ['revision'],
  client_secrets: ['revision'],
  clients: ['revision'],
  customer_messages: ['revision'],
  notices: ['revision'],
  customers: ['rejections', 'version', 'revision'],
  deliveries: ['attempts', 'last_response_status', 'revision'],
  disputes: ['linked_notices', 'version', 'revision', 'notice_late_days'],
  document_publications: ['revision'],
  document_versions: ['revision'],
  documents: ['version', 'revision'],
  entries: ['number', 'leg'],
  events: ['version'],
  exchanges: ['revision'],
  fee_sweeps: ['revision'],
  further_attempts: ['number', 'response_status', 'duration_ms'],
  further_deliveries: ['attempts', 'last_response_status', 'revision'],
  further_endpoints: ['revision'],
  instructions: ['revision'],
  legal_texts: ['revision'],
  limit_counters: ['revision'],
  link_tokens: ['revision'],
  linked_accounts: ['version', 'revision'],
  loads: ['version', 'revision'],
  owners: ['ownership_percent', 'version', 'revision', 'rejections'],
  passkeys: ['revision'],
  payment_requests: ['version', 'revision'],
  payments: ['version', 'revision'],
  payout_sums: ['revision'],
  pending_transactions: ['version', 'revision'],
  pins: ['attempts', 'revision', 'failures', 'reset_failures', 'generation'],
  rail_messages: ['replays', 'revision'],
  reconciliation_reports: ['postings_count', 'version', 'revision'],
  refunds: ['version', 'revision'],
  return_requests: ['revision'],
  review_cases: ['revision'],
  review_notes: ['revision'],
  reviews: ['revision'],
  session_progress: ['codes_sent', 'code_tries', 'revision', 'proven_pin'],
  sessions: ['version', 'revision'],
  statement_positions: ['revision'],
  statement_runs: ['revision'],
  statements: ['version', 'revision'],
  suspense: ['revision'],
  tenants: ['revision', 'token_epoch', 'version_floor'],
  term_changes: ['consumers', 'revision'],
  waiting_terms: ['revision'],
  webhook_endpoints: ['revision'],
  webhook_secrets: ['revision'],
  withdrawals: ['version', 'revision'],
};

/** Half of the range of 32 bits: time enough to widen the column. */
const half = 2 ** 30;
/** Values of 16 bits are moved to the upper half of 32 bits, so that one limit serves both. */
const widened = (column: string) => (column === 'leg' ? 'leg * 65536' : column);

const highest = Object.entries(narrowColumns).map(
  ([table, columns]) => `select tenant_id, '${table}' as place,
    greatest(${columns.map((column) => `max(${widened(column)})`).join(', ')}) as value
    from ${table} group by tenant_id`,
);

/** A column or sequence whose numbers run out stops the service. */
export const rangesChecks: readonly Check[] = [
  {
    name: 'ranges.columns',
    clause: 'no number is above half of the range of its column',
    sql: `select tenant_id, 'tenant' as kind, tenant_id as id,
        format('%s: a number has come to %s', place, value) as message
      from (${highest.join('\n union all ')}) highest where value > ${half}`,
  },
  {
    name: 'ranges.sequences',
    clause: 'no sequence of the database has used half of its numbers',
    sql: `select t.tenant_id, 'sequence' as kind, s.sequencename as id,
        format('has come to %s of %s', s.last_value, s.max_value) as message
      from tenants t cross join pg_sequences s where s.last_value > s.max_value / 2`,
  },
];
