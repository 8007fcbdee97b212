import type { Lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles, type Resource } from '@tenant-payments/contract/lifecycles.ts';
import type { Values } from '../core/entity.ts';
import type { Entry } from '../core/ledger.ts';
import type { AnyTable } from '../core/table.ts';
import { transactionView } from '../core/transaction.ts';
import { paymentRequests } from '../resources/payment_requests/table.ts';
import { payments } from '../resources/payments/table.ts';
import { sessions } from '../resources/sessions/table.ts';

/** A resource that tells its changes by events, as its history is checked. */
export interface Recorded {
  readonly resource: Resource;
  readonly lifecycle: Lifecycle;
  /** What holds its rows: a table, or a query in brackets, with tenant_id, id, version, updated_at. */
  readonly rows: string;
  /** A row as the API shows it now. */
  readonly present: (row: Values) => Values;
  /** The lifecycle's status in what is shown. */
  readonly statusOf: (shown: Values) => unknown;
  /** Fields of an event that no row keeps. */
  readonly unkept: readonly string[];
}

const status = (shown: Values) => shown.status;

function recorded(
  resource: Resource,
  table: AnyTable,
  statusOf: Recorded['statusOf'] = status,
): Recorded {
  const present = table.present as ((row: Values) => Values) | null;
  if (!present) throw new Error(`${table.name} shows no record`);
  const lifecycle: Lifecycle = lifecycles[resource];
  return { resource, lifecycle, rows: table.name, present, statusOf, unkept: [] };
}

/** Posted Transactions are the financial entries themselves (decisions 2.2). */
const transactions: Recorded = {
  resource: 'transaction',
  lifecycle: lifecycles.transaction,
  rows: `(select *, 1 as version, created_at as updated_at from entries
    where transaction_type is not null)`,
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
      description: null,
      createdAt: String(row.created_at),
    }),
  }),
  statusOf: status,
  // Names are looked up when a Transaction is shown, the description is its record's.
  unkept: ['counterparty', 'description'],
};

/** Every resource with events. */
export const recordedResources: readonly Recorded[] = [
  recorded('session', sessions as AnyTable),
  recorded('payment_request', paymentRequests as AnyTable),
  recorded('payment', payments as AnyTable),
  transactions,
];
