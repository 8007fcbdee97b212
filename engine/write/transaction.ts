import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Transaction } from '@tenant-payments/contract/resources/accounts.ts';
import type { Entry } from '../ledger.ts';
import type { EventParts } from './event.ts';

/**
 * A Transaction as shown. A posted one is the customer's financial entry itself; a pending or
 * reversed one is a row of its own (rules/ledger#13).
 */
export interface TransactionFacts {
  readonly id: string;
  readonly accountId: string;
  readonly type: NonNullable<Entry['type']>;
  readonly delta: number;
  readonly amount: number;
  readonly fee: number;
  readonly counterparty: Transaction['counterparty'];
  readonly sourceType: string;
  readonly sourceId: string;
  readonly description: string | null;
  readonly status: Transaction['status'];
  readonly createdAt: string;
  readonly postedAt: string | null;
}

/** The Transaction of the API and of its events. */
export const transactionView = (facts: TransactionFacts): Transaction => ({
  id: publicId('transaction', facts.id),
  object: 'transaction',
  account_id: publicId('account', facts.accountId),
  type: facts.type,
  direction:
    facts.delta > 0 || (facts.delta === 0 && facts.type === 'payment_received')
      ? 'credit'
      : 'debit',
  amount: facts.amount,
  fee_amount: facts.fee,
  net_amount: Math.abs(facts.delta),
  currency: 'USD',
  status: facts.status,
  counterparty: facts.counterparty,
  source_type: facts.sourceType as Transaction['source_type'],
  source_id: publicId(facts.sourceType as IdKind, facts.sourceId),
  description: facts.description,
  created_at: facts.createdAt,
  posted_at: facts.postedAt,
});

/** A Transaction that is posted at once has the event transaction.posted only (rules/events#3). */
export function transactionEvent(entry: Entry, id: string): EventParts {
  const shown = transactionView({
    id,
    accountId: entry.accountId ?? '',
    type: entry.type ?? 'adjustment',
    delta: entry.delta,
    amount: entry.amount ?? 0,
    fee: entry.fee ?? 0,
    counterparty: (entry.counterpart?.shown ?? null) as Transaction['counterparty'],
    sourceType: entry.sourceType,
    sourceId: entry.sourceId,
    description: entry.description,
    status: 'posted',
    createdAt: entry.at,
    postedAt: entry.at,
  });
  return {
    at: entry.at,
    type: 'transaction.posted',
    objectType: 'transaction',
    objectId: id,
    version: 1,
    object: JSON.stringify(shown),
    previous: null,
  };
}
