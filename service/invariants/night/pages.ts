import type { Resource } from '@tenant-payments/contract/lifecycles.ts';
import type { JobName } from '@tenant-payments/engine/job_names.ts';
import type { CheckedTable, Conditions } from '../scope.ts';

/** The kinds of records proven page by page: records of one table that were touched since the checkpoint. */
export type PageKind =
  | 'payment'
  | 'load'
  | 'withdrawal'
  | 'refund'
  | 'payment_request'
  | 'session'
  | 'account'
  | 'customer'
  | 'owner'
  | 'document'
  | 'linked_account'
  | 'dispute'
  | 'statement'
  | 'reconciliation_report'
  | 'customer_message'
  | 'instruction'
  | 'delivery'
  | 'transaction'
  | 'posting';

/** Ids of the page: SQL that a plan reads as an array of a few, so that it looks rows up by their keys. */
const page = `(select current_setting('tenant_payments.page')::uuid[])`;
const inPage = (column: string) => `${column} = any (${page}::uuid[])`;
/** `$tenant` is the condition on the Tenant (scope.ts). */
const inRows = (column: string, rows: string) => `${column} = any (array(${rows}))`;
const ofPage = (column: string, table: CheckedTable) =>
  `select ${column} from ${table} where $tenant and ${inPage('id')}`;

export interface Page {
  /** The resource whose histories are replayed, and the column of the page's ids in its rows. */
  readonly replayed?: {
    readonly resource: Resource;
    readonly part?: number;
    readonly column: string;
  };
  /** SQL: where ids come from besides the events of the resource. */
  readonly from: readonly string[];
  /** The rows of each table that belong to the page; of tables that are not named, all. */
  readonly rows: Conditions;
}

/** SQL: the smallest id of the instant `$3`, the checkpoint's, by the Tenant's clock. */
const firstId = `rpad(lpad(to_hex((extract(epoch from $3::timestamptz) * 1000)::bigint), 12, '0'), 32, '0')::uuid`;
const madeSince = (table: CheckedTable, column = 'id') =>
  `select ${column} from ${table} where tenant_id = $1 and ${column} >= ${firstId}`;
const withJob = (...jobs: JobName[]) =>
  `select ref from jobs where tenant_id = $1 and name in (${jobs.map((job) => `'${job}'`).join(', ')})`;
const posted = (columns: string, where: string) => `select ${columns} from entries
  where tenant_id = $1 and coalesce(posted_at, created_at) >= $3 and ${where}`;
const refundsSince = (column: string) => `select r.${column} from refunds r where r.tenant_id = $1
  and r.id in (select e.object_id from events e where e.tenant_id = $1 and e.recorded_at >= $2
    and e.object_type = 'refund')`;

/** For the account's first refund that waits: the payment that it refunds, which is no open one. */
export const refundedOfPage: Conditions = {
  payments: inRows(
    'id',
    `select payment_id from refunds where $tenant and status = 'pending_funds'
      and ${inPage('merchant_account_id')}`,
  ),
};

const open = `status in ('requires_confirmation', 'processing')`;
const jobsOfPage = { jobs: inPage('ref') };
const ordersOf = (kind: string) => ({
  instructions: `source_type = '${kind}' and ${inPage('source_id')}`,
});
const replayed = (resource: Resource) => ({ replayed: { resource, column: 'id' } });

/** A record that is confirmed: its entries, orders, jobs and the session that it names. */
const confirmed = (
  kind: 'payment' | 'load' | 'withdrawal' | 'refund',
  ...jobs: JobName[]
): Page => ({
  ...replayed(kind),
  from: [
    madeSince(`${kind}s`),
    posted('source_id', `source_type = '${kind}'`),
    ...(jobs.length > 0 ? [withJob(...jobs)] : []),
    ...(kind === 'payment' ? [refundsSince('payment_id')] : []),
  ],
  rows: {
    ...jobsOfPage,
    ...ordersOf(kind),
    [`${kind}s`]: inPage('id'),
    entries: inPage('source_id'),
    sessions: inRows('id', ofPage('session_id', `${kind}s`)),
    ...(kind === 'payment' && { refunds: inPage('payment_id') }),
    ...(kind === 'withdrawal' && {
      pending_transactions: inRows('id', ofPage('transaction_id', 'withdrawals')),
      events: inRows('object_id', ofPage('linked_account_id', 'withdrawals')),
    }),
  },
});

/** Another record of a table of its own. */
const record = (table: CheckedTable, page: Partial<Page> = {}): Page => ({
  from: [madeSince(table)],
  ...page,
  rows: { ...jobsOfPage, [table]: inPage('id'), ...page.rows },
});

export const pages: Readonly<Record<PageKind, Page>> = {
  payment: confirmed('payment', 'payment_timeout', 'payment_deadline'),
  load: confirmed('load', 'load_timeout', 'load_deadline'),
  withdrawal: confirmed('withdrawal', 'withdrawal_deadline'),
  refund: confirmed('refund', 'refund_wait', 'refund_deadline'),
  payment_request: record('payment_requests', {
    ...replayed('payment_request'),
    from: [madeSince('payment_requests'), withJob('payment_request_expiry')],
    rows: { payments: inPage('payment_request_id') },
  }),
  session: record('sessions', {
    ...replayed('session'),
    from: [madeSince('sessions'), withJob('session_end')],
    rows: { session_progress: inPage('session_id') },
  }),
  account: record('accounts', {
    ...replayed('account'),
    from: [
      madeSince('accounts'),
      posted('account_id', 'account_id is not null'),
      refundsSince('merchant_account_id'),
    ],
    rows: {
      balances: inPage('account_id'),
      payments: inRows(
        'id',
        `select id from payments where $tenant and ${open} and ${inPage('payer_account_id')} union all
         select id from payments where $tenant and status = 'processing'
           and ${inPage('payee_account_id')}`,
      ),
      loads: inPage('account_id'),
      withdrawals: `${open} and ${inPage('account_id')}`,
      refunds: `status in ('requested', 'pending_funds', 'processing') and ${inPage('merchant_account_id')}`,
    },
  }),
  customer: record('customers', {
    ...replayed('customer'),
    rows: {
      pins: inPage('customer_id'),
      passkeys: inPage('customer_id'),
      documents: inPage('customer_id'),
      owners: inPage('customer_id'),
      linked_accounts: inPage('customer_id'),
      limit_counters: inPage('customer_id'),
      accounts: inRows('id', ofPage('account_id', 'customers')),
      jobs: `name in ('account_closing', 'erasure') and ${inRows(
        'ref',
        `${ofPage('id', 'customers')} union all ${ofPage('account_id', 'customers')}`,
      )}`,
    },
  }),
  owner: record('owners', replayed('owner')),
  document: record('documents', replayed('document_acceptance')),
  linked_account: record('linked_accounts', {
    ...replayed('linked_account'),
    from: [madeSince('linked_accounts'), withJob('withdrawal_hold', 'link_consent')],
  }),
  dispute: record('disputes', replayed('dispute')),
  statement: record('statements', replayed('statement')),
  reconciliation_report: record('reconciliation_reports', replayed('reconciliation_report')),
  customer_message: record('customer_messages', {
    from: [madeSince('customer_messages'), withJob('customer_message')],
  }),
  instruction: record('instructions', {
    from: [
      madeSince('instructions'),
      withJob('instruction', 'order_hand_over'),
      withJob('order_cancel'),
      withJob('order_query'),
    ],
  }),
  delivery: {
    from: [
      madeSince('deliveries', 'event_id'),
      'select event_id from attempts where tenant_id = $1 and recorded_at >= $2',
      madeSince('further_deliveries', 'event_id'),
      'select event_id from further_attempts where tenant_id = $1 and recorded_at >= $2',
    ],
    rows: {
      deliveries: inPage('event_id'),
      attempts: inPage('event_id'),
      further_deliveries: inPage('event_id'),
      further_attempts: inPage('event_id'),
    },
  },
  // Pending and reversed ones are rows of their own.
  transaction: { replayed: { resource: 'transaction', part: 1, column: 'id' }, from: [], rows: {} },
  // Those that were posted are found by the records that they came from.
  posting: {
    replayed: { resource: 'transaction', part: 0, column: 'source_id' },
    from: [posted('source_id', 'transaction_type is not null')],
    rows: {},
  },
};

/**
 * SQL: the ids of a kind that were touched. `$1` is the Tenant, `$2` the database's time and `$3` the time of
 * its clock from which on.
 */
export function touchedIds({ replayed, from }: Page): string {
  const told = `select object_id from events where tenant_id = $1 and recorded_at >= $2
    and object_type = '${replayed?.resource}' and not sample`;
  const own = replayed && replayed.column === 'id' ? [told] : [];
  return `select id from (${[...own, ...from].join(' union ')}) touched(id) where id is not null
    order by id`;
}
