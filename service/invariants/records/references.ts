import type { Check } from '../check.ts';

/** How a violation names a row of each table: its kind, and the column of its id. */
const subjects = {
  accounts: ['account', 'id'],
  attempts: ['event', 'event_id'],
  balances: ['account', 'account_id'],
  customer_messages: ['customer_message', 'id'],
  notices: ['notice', 'id'],
  customers: ['customer', 'id'],
  deliveries: ['event', 'event_id'],
  disputes: ['dispute', 'id'],
  documents: ['document_acceptance', 'id'],
  entries: ['entry', 'id'],
  further_attempts: ['event', 'event_id'],
  further_deliveries: ['event', 'event_id'],
  idempotency: ['idempotency key', 'key_hash'],
  instructions: ['instruction', 'id'],
  limit_counters: ['customer', 'customer_id'],
  linked_accounts: ['linked_account', 'id'],
  loads: ['load', 'id'],
  owners: ['owner', 'id'],
  payment_requests: ['payment_request', 'id'],
  payments: ['payment', 'id'],
  pins: ['customer', 'customer_id'],
  passkeys: ['customer', 'customer_id'],
  pending_transactions: ['transaction', 'id'],
  refunds: ['refund', 'id'],
  sessions: ['session', 'id'],
  session_progress: ['session', 'session_id'],
  webhook_secrets: ['webhook secret', 'id'],
  withdrawals: ['withdrawal', 'id'],
} as const satisfies Record<string, readonly [kind: string, column: string]>;

/**
 * References without a foreign key, which would cost a batch half of its time (rules/engine#18).
 * `columns` of `from` name a row of `to` of the same tenant; further columns must agree with that row.
 * A null in the first names nothing. `where` limits the rows `f`.
 */
interface Reference {
  readonly from: keyof typeof subjects;
  readonly columns: string;
  readonly to: string;
  readonly are: string;
  readonly where?: string;
}

const account = { to: 'accounts', are: 'id, customer_id' };
const customer = { columns: 'customer_id', to: 'customers', are: 'id' };
const link = { to: 'linked_accounts', are: 'id, customer_id' };
const ownSession = { to: 'sessions', are: 'id, customer_id' };
const targetSession = { columns: 'session_id, id', to: 'sessions', are: 'id, target_id' };

const references: readonly Reference[] = [
  { from: 'customers', columns: 'account_id, id', ...account },
  { from: 'customers', columns: 'onboarding_session_id, id', ...ownSession },
  { from: 'customers', columns: 'pin_reset_session_id, id', ...ownSession },
  { from: 'customers', columns: 'contact_change_session_id, id', ...ownSession },
  { from: 'customers', columns: 'terms_session_id, id', ...ownSession },
  { from: 'customer_messages', ...customer },
  { from: 'notices', ...customer },
  { from: 'pins', ...customer },
  { from: 'passkeys', ...customer },
  { from: 'session_progress', columns: 'session_id', to: 'sessions', are: 'id' },
  { from: 'owners', ...customer },
  { from: 'documents', ...customer },
  { from: 'linked_accounts', ...customer },
  { from: 'limit_counters', ...customer },
  { from: 'sessions', ...customer },
  { from: 'accounts', columns: 'id, customer_id', to: 'customers', are: 'account_id, id' },
  { from: 'accounts', columns: 'id', to: 'balances', are: 'account_id' },
  { from: 'balances', columns: 'account_id', to: 'accounts', are: 'id' },
  { from: 'entries', columns: 'account_id', to: 'balances', are: 'account_id' },
  { from: 'loads', columns: 'account_id, customer_id', ...account },
  { from: 'loads', columns: 'linked_account_id, customer_id', ...link },
  { from: 'loads', ...targetSession },
  { from: 'instructions', columns: 'linked_account_id', to: 'linked_accounts', are: 'id' },
  {
    from: 'instructions',
    columns: 'source_id, linked_account_id',
    to: 'loads',
    are: 'id, linked_account_id',
    where: `f.source_type = 'load'`,
  },
  {
    from: 'instructions',
    columns: 'source_id, linked_account_id',
    to: 'disputes',
    are: 'id, credit_link_id',
    where: `f.source_type = 'dispute'`,
  },
  ...(['payment', 'withdrawal', 'refund'] as const).flatMap((kind): Reference[] => [
    {
      from: 'instructions',
      columns: 'source_id, linked_account_id',
      to: `${kind}s`,
      are: 'id, linked_account_id',
      where: `f.source_type = '${kind}'`,
    },
  ]),
  { from: 'withdrawals', columns: 'account_id, customer_id', ...account },
  { from: 'withdrawals', columns: 'linked_account_id, customer_id', ...link },
  { from: 'withdrawals', ...targetSession },
  { from: 'pending_transactions', columns: 'account_id', to: 'accounts', are: 'id' },
  { from: 'refunds', columns: 'payment_id', to: 'payments', are: 'id' },
  { from: 'refunds', columns: 'merchant_account_id, merchant_customer_id', ...account },
  { from: 'refunds', columns: 'payer_account_id, payer_customer_id', ...account },
  { from: 'refunds', columns: 'linked_account_id, payer_customer_id', ...link },
  { from: 'refunds', ...targetSession },
  {
    from: 'refunds',
    columns: 'dispute_id, payment_id',
    to: 'disputes',
    are: 'id, counted_payment_id',
  },
  { from: 'payments', columns: 'dispute_id, id', to: 'disputes', are: 'id, counted_payment_id' },
  { from: 'disputes', ...customer },
  { from: 'disputes', columns: 'account_id, customer_id', ...account },
  { from: 'disputes', columns: 'payment_id', to: 'payments', are: 'id' },
  {
    from: 'disputes',
    columns: 'counted_payment_id, customer_id',
    to: 'payments',
    are: 'id, payer_customer_id',
  },
  {
    from: 'disputes',
    columns: 'merchant_account_id, counted_payment_id',
    to: 'payments',
    are: 'payee_account_id, id',
  },
  {
    from: 'disputes',
    columns: 'disputed_load_id, customer_id',
    to: 'loads',
    are: 'id, customer_id',
  },
  { from: 'disputes', columns: 'credit_link_id, customer_id', ...link },
  { from: 'payments', columns: 'linked_account_id, payer_customer_id', ...link },
  { from: 'payments', columns: 'payer_account_id, payer_customer_id', ...account },
  { from: 'payments', columns: 'payee_account_id, payee_customer_id', ...account },
  {
    from: 'payments',
    columns: 'payment_request_id, payee_customer_id',
    to: 'payment_requests',
    are: 'id, merchant_customer_id',
  },
  { from: 'payments', ...targetSession },
  { from: 'payment_requests', columns: 'merchant_account_id, merchant_customer_id', ...account },
  {
    from: 'sessions',
    columns: 'target_id, customer_id',
    to: 'payments',
    are: 'id, payer_customer_id',
    where: `f.target_type = 'payment'`,
  },
  {
    from: 'sessions',
    columns: 'target_id, customer_id',
    to: 'loads',
    are: 'id, customer_id',
    where: `f.target_type = 'load'`,
  },
  {
    from: 'sessions',
    columns: 'target_id, customer_id',
    to: 'withdrawals',
    are: 'id, customer_id',
    where: `f.target_type = 'withdrawal'`,
  },
  {
    from: 'sessions',
    columns: 'target_id, customer_id',
    to: 'refunds',
    are: 'id, merchant_customer_id',
    where: `f.target_type = 'refund'`,
  },
  { from: 'deliveries', columns: 'event_id', to: 'events', are: 'id' },
  { from: 'attempts', columns: 'event_id', to: 'deliveries', are: 'event_id' },
  { from: 'further_deliveries', columns: 'event_id', to: 'events', are: 'id' },
  { from: 'further_deliveries', columns: 'endpoint_id', to: 'further_endpoints', are: 'id' },
  {
    from: 'further_attempts',
    columns: 'event_id, endpoint_id',
    to: 'further_deliveries',
    are: 'event_id, endpoint_id',
  },
  { from: 'webhook_secrets', columns: 'endpoint_id', to: 'further_endpoints', are: 'id' },
  { from: 'idempotency', columns: 'event_id', to: 'events', are: 'id' },
  { from: 'idempotency', columns: 'session_id', to: 'sessions', are: 'id' },
];

function referenceCheck({ from, columns, to, are, where }: Reference): Check {
  const names = columns.split(', ');
  const [first = ''] = names;
  const [kind, id] = subjects[from];
  const on = are.split(', ').map((column, index) => `and t.${column} = f.${names[index]}`);
  return {
    name: `references.${from}.${first}.${to}`,
    clause: `${columns} of ${from} are ${are} of a row of ${to} of the same tenant`,
    sql: `select f.tenant_id, '${kind}' as kind, f.${id} as id,
        format('${first} %s is none of ${to} that fits', f.${first}) as message
      from ${from} f where f.${first} is not null ${where ? `and ${where}` : ''}
        and not exists (select from ${to} t where t.tenant_id = f.tenant_id ${on.join(' ')})`,
  };
}

/** The guarantees that foreign keys would give (rules/engine#18). */
export const referenceChecks: readonly Check[] = references.map(referenceCheck);
