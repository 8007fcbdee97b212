import { type IdKind, idPrefixes, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Resource } from '@tenant-payments/contract/lifecycles.ts';
import type { Counterparty } from '@tenant-payments/contract/resources/accounts.ts';
import type { Values } from '@tenant-payments/engine/entity.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Entry } from '@tenant-payments/engine/ledger.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import {
  type AnyTable,
  column,
  orNull,
  type RowOf,
  shown,
  table,
} from '@tenant-payments/engine/table.ts';
import { transactionView } from '@tenant-payments/engine/write/transaction.ts';
import { bankAccountView, holderView } from '../../resources/accounts/counterparts.ts';
import { pendingTransactions } from '../../resources/accounts/pending_transactions.ts';
import { accounts } from '../../resources/accounts/table.ts';
import { documents } from '../../resources/customers/documents/table.ts';
import { owners } from '../../resources/customers/owners/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { disputes } from '../../resources/disputes/table.ts';
import { linkedAccounts } from '../../resources/linked_accounts/table.ts';
import { loads } from '../../resources/loads/table.ts';
import { paymentRequests } from '../../resources/payment_requests/table.ts';
import { payments } from '../../resources/payments/table.ts';
import { parseDay } from '../../resources/reconciliation/day.ts';
import { reconciliationReports } from '../../resources/reconciliation/table.ts';
import { refunds } from '../../resources/refunds/table.ts';
import { sessions } from '../../resources/sessions/table.ts';
import { statements } from '../../resources/statements/table.ts';
import { withdrawals } from '../../resources/withdrawals/table.ts';

/** A record of the tenant as the API shows it now. */
export interface FoundRecord {
  readonly id: string;
  readonly version: number;
  readonly object: Values;
}

/** A posted Transaction is its ledger entry (rules/ledger#13). */
const entries = table({
  name: 'entries',
  key: ['id'],
  columns: {
    id: column.uuid,
    account_id: orNull(column.uuid),
    source_type: column.text,
    source_id: column.uuid,
    delta: column.cents,
    transaction_type: orNull(column.text),
    amount: orNull(column.cents),
    fee_amount: orNull(column.cents),
    counterpart_kind: orNull(column.text),
    counterpart_id: orNull(column.uuid),
    created_at: column.instant,
    posted_at: orNull(column.instant),
  },
  proof: 'none',
  revised: false,
});
type EntryRow = RowOf<typeof entries>;

async function counterpartyOf(read: Read, entry: EntryRow): Promise<Counterparty | null> {
  const { counterpart_kind: kind, counterpart_id: id } = entry;
  if (kind === 'account') {
    const holder = await read.maybe(accounts, id);
    return holder && holderView(holder);
  }
  const link = kind === 'linked_account' ? await read.maybe(linkedAccounts, id) : null;
  return link && bankAccountView(link);
}

function found(source: AnyTable, row: RowOf<AnyTable>): FoundRecord {
  return { id: String(row.id), version: Number(row.version), object: { ...shown(source, row) } };
}

async function readTransaction(read: Read, id: string): Promise<FoundRecord> {
  const unposted = await read.maybe(pendingTransactions, id);
  if (unposted && unposted.status !== 'posted') return found(pendingTransactions, unposted);
  const entry = await read.one(entries, id);
  const { transaction_type: type, account_id: accountId, source_type: sourceType } = entry;
  if (type === null || accountId === null) throw fail('not_found', { param: 'object_id' });
  const [counterparty, payment] = await Promise.all([
    counterpartyOf(read, entry),
    sourceType === 'payment' ? read.maybe(payments, entry.source_id) : null,
  ]);
  const object = transactionView({
    id,
    accountId,
    type: type as NonNullable<Entry['type']>,
    delta: entry.delta,
    amount: entry.amount ?? 0,
    fee: entry.fee_amount ?? 0,
    counterparty,
    sourceType,
    sourceId: entry.source_id,
    description: payment?.description ?? null,
    status: 'posted',
    createdAt: entry.created_at,
    postedAt: entry.posted_at ?? entry.created_at,
  });
  return { id, version: entry.posted_at === null ? 1 : 2, object: { ...object } };
}

const from =
  (source: AnyTable) =>
  async (read: Read, id: string): Promise<FoundRecord> =>
    found(source, await read.one(source, id));

const readers: { readonly [R in Resource]: (read: Read, id: string) => Promise<FoundRecord> } = {
  customer: from(customers),
  owner: from(owners),
  document_acceptance: from(documents),
  session: from(sessions),
  linked_account: from(linkedAccounts),
  account: from(accounts),
  transaction: readTransaction,
  load: from(loads),
  payment_request: from(paymentRequests),
  payment: from(payments),
  withdrawal: from(withdrawals),
  refund: from(refunds),
  dispute: from(disputes),
  statement: from(statements),
  reconciliation_report: from(reconciliationReports),
};

const kinds = Object.keys(idPrefixes) as IdKind[];

/** A report has no id: its day names it. */
const keyOf = (resource: Resource, objectId: string): string | null =>
  resource === 'reconciliation_report' ? parseDay(objectId) : uuidOf(resource, objectId);

/**
 * The record that a sample event is to show.
 * @throws ApiError parameter_invalid: a record of another kind; not_found: none, or another tenant's
 */
export function readRecord(read: Read, resource: Resource, objectId: string): Promise<FoundRecord> {
  const id = keyOf(resource, objectId);
  if (id !== null) return readers[resource](read, id);
  if (kinds.some((kind) => uuidOf(kind, objectId) !== null))
    throw fail('parameter_invalid', {
      param: 'object_id',
      details: { reason: 'not_of_this_type', expected: resource },
    });
  throw fail('not_found', { param: 'object_id' });
}
