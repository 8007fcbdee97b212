import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles, type Resource } from '@tenant-payments/contract/lifecycles.ts';
import type { Transaction } from '@tenant-payments/contract/resources/accounts.ts';
import type { Values } from '@tenant-payments/engine/entity.ts';
import type { Entry } from '@tenant-payments/engine/ledger.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import { transactionView } from '@tenant-payments/engine/write/transaction.ts';
import { accounts } from '../../resources/accounts/table.ts';
import { documents } from '../../resources/customers/documents/table.ts';
import { owners } from '../../resources/customers/owners/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { disputes } from '../../resources/disputes/table.ts';
import { linkedAccounts } from '../../resources/linked_accounts/table.ts';
import { loads } from '../../resources/loads/table.ts';
import { paymentRequests } from '../../resources/payment_requests/table.ts';
import { payments } from '../../resources/payments/table.ts';
import { reconciliationReports } from '../../resources/reconciliation/table.ts';
import { refunds } from '../../resources/refunds/table.ts';
import { sessions } from '../../resources/sessions/table.ts';
import { statements } from '../../resources/statements/table.ts';
import { withdrawals } from '../../resources/withdrawals/table.ts';

/** Rows in the order of a key that an index has. */
export interface Part {
  /** A table, or a query in brackets, with tenant_id, id, version, updated_at. */
  readonly rows: string;
  /** The columns of the key after tenant_id. */
  readonly key: readonly string[];
}

/** A resource with events, as its history is checked. */
export interface RecordedResource {
  readonly resource: Resource;
  readonly moves: readonly Move[];
  /** The state after a creation without event; null where creations have one. */
  readonly silentStart: string | null;
  /** The source of its rows, with tenant_id and id. */
  readonly rows: string;
  /** The same rows in parts that can be read page by page. */
  readonly parts: readonly Part[];
  /** A row as the API shows it now. */
  readonly present: (row: Values) => Values;
  /** The lifecycle's status in the shown record. */
  readonly statusOf: (shown: Values) => unknown;
  /** Fields of an event that no row has. */
  readonly unkept: readonly string[];
}

function stepsOf(resource: Resource): Pick<RecordedResource, 'resource' | 'moves' | 'silentStart'> {
  const moves: readonly Move[] = Object.values(lifecycles[resource].moves);
  const silent = moves.find(({ from, event }) => from === 'new' && event === null);
  return { resource, moves, silentStart: silent?.to ?? null };
}

const status = (shown: Values) => shown.status;

function recorded(
  resource: Resource,
  table: Pick<AnyTable, 'name' | 'present'>,
  statusOf: RecordedResource['statusOf'] = status,
): RecordedResource {
  const present = table.present as ((row: Values) => Values) | null;
  if (!present) throw new Error(`${table.name} shows no record`);
  const parts = [{ rows: table.name, key: ['id'] }];
  return { ...stepsOf(resource), rows: table.name, parts, present, statusOf, unkept: [] };
}

/** Not joined: over all Tenants each of them would then read all payments of its Tenant. */
const posted: Part = {
  rows: `(select e.tenant_id, e.id, e.account_id, e.transaction_type, e.delta, e.amount, e.fee_amount,
      e.source_type, e.source_id, e.step, e.leg, e.created_at,
      coalesce(e.posted_at, e.created_at) as posted_at,
      'posted' as transaction_status, case when e.posted_at is null then 1 else 2 end as version,
      coalesce(e.posted_at, e.created_at) as updated_at,
      (select p.description from payments p where p.tenant_id = e.tenant_id
        and p.id = case e.source_type when 'payment' then e.source_id when 'refund' then
          (select r.payment_id from refunds r where r.tenant_id = e.tenant_id and r.id = e.source_id) end)
      as description
    from entries e where e.transaction_type is not null)`,
  key: ['source_id', 'step', 'leg'],
};

const pendingOrReversed: Part = {
  rows: `(select tenant_id, id, account_id, 'withdrawal' as transaction_type, -amount as delta, amount,
      0 as fee_amount, 'withdrawal' as source_type, source_id, created_at, null as posted_at,
      status as transaction_status, version, updated_at, null as description
    from pending_transactions where status <> 'posted')`,
  key: ['id'],
};

/**
 * Posted Transactions are the financial entries themselves; pending and reversed ones are rows of
 * their own, which stay after posting (rules/ledger#14).
 */
const transactions: RecordedResource = {
  ...stepsOf('transaction'),
  rows: `(select tenant_id, id from entries where transaction_type is not null
    union all select tenant_id, id from pending_transactions where status <> 'posted')`,
  parts: [posted, pendingOrReversed],
  present: (row) => ({
    ...transactionView({
      id: String(row.id),
      accountId: String(row.account_id),
      type: row.transaction_type as NonNullable<Entry['type']>,
      delta: Number(row.delta),
      amount: Number(row.amount),
      fee: Number(row.fee_amount),
      counterparty: null,
      sourceType: String(row.source_type),
      sourceId: String(row.source_id),
      description: row.description === null ? null : String(row.description),
      status: row.transaction_status as Transaction['status'],
      createdAt: String(row.created_at),
      postedAt: row.posted_at === null ? null : String(row.posted_at),
    }),
  }),
  statusOf: status,
  // Names are read when a Transaction is shown.
  unkept: ['counterparty'],
};

/** Every resource with events. */
export const recordedResources: readonly RecordedResource[] = [
  recorded('customer', customers, (shown) => (shown.verification as Values | undefined)?.status),
  recorded('owner', owners, (shown) => shown.verification_status),
  recorded('document_acceptance', documents),
  recorded('session', sessions),
  recorded('linked_account', linkedAccounts),
  recorded('account', accounts),
  recorded('load', loads),
  recorded('payment_request', paymentRequests),
  recorded('payment', payments),
  recorded('withdrawal', withdrawals),
  recorded('refund', refunds),
  recorded('dispute', disputes),
  recorded('statement', statements, () => 'available'),
  recorded('reconciliation_report', reconciliationReports, () => 'available'),
  transactions,
];
