import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles, type Resource } from '@tenant-payments/contract/lifecycles.ts';
import type { Values } from '../core/entity.ts';
import type { Entry } from '../core/ledger.ts';
import type { AnyTable } from '../core/table.ts';
import { transactionView } from '../core/transaction.ts';
import { accounts } from '../resources/accounts/table.ts';
import { documents } from '../resources/customers/documents_table.ts';
import { owners } from '../resources/customers/owners_table.ts';
import { customers } from '../resources/customers/table.ts';
import { linkedAccounts } from '../resources/linked_accounts/table.ts';
import { loads } from '../resources/loads/table.ts';
import { paymentRequests } from '../resources/payment_requests/table.ts';
import { payments } from '../resources/payments/table.ts';
import { sessions } from '../resources/sessions/table.ts';

/** A resource that tells its changes by events, as its history is checked. */
export interface Recorded {
  readonly resource: Resource;
  readonly moves: readonly Move[];
  /** The state that a creation without event leaves; null where creations have one. */
  readonly silentStart: string | null;
  /** What holds its rows: a table, or a query in brackets, with tenant_id, id, version, updated_at. */
  readonly rows: string;
  /** A row as the API shows it now. */
  readonly present: (row: Values) => Values;
  /** The lifecycle's status in what is shown. */
  readonly statusOf: (shown: Values) => unknown;
  /** Fields of an event that no row keeps. */
  readonly unkept: readonly string[];
}

function stepsOf(resource: Resource): Pick<Recorded, 'resource' | 'moves' | 'silentStart'> {
  const moves: readonly Move[] = Object.values(lifecycles[resource].moves);
  const silent = moves.find(({ from, event }) => from === 'new' && event === null);
  return { resource, moves, silentStart: silent?.to ?? null };
}

const status = (shown: Values) => shown.status;

function recorded(
  resource: Resource,
  table: Pick<AnyTable, 'name' | 'present'>,
  statusOf: Recorded['statusOf'] = status,
): Recorded {
  const present = table.present as ((row: Values) => Values) | null;
  if (!present) throw new Error(`${table.name} shows no record`);
  return { ...stepsOf(resource), rows: table.name, present, statusOf, unkept: [] };
}

/** Posted Transactions are the financial entries themselves (decisions 2.2). */
const transactions: Recorded = {
  ...stepsOf('transaction'),
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
  recorded('customer', customers, (shown) => (shown.verification as Values | undefined)?.status),
  recorded('owner', owners, (shown) => shown.verification_status),
  recorded('document_acceptance', documents),
  recorded('session', sessions),
  recorded('linked_account', linkedAccounts),
  recorded('account', accounts),
  recorded('load', loads),
  recorded('payment_request', paymentRequests),
  recorded('payment', payments),
  transactions,
];
