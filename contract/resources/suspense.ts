import Type, { type Static } from 'typebox';
import { lifecycle } from '../core/lifecycle.ts';
import { Cents, Currency } from '../core/money.ts';
import { Closed, Id, Instant, Nullable, OneOf } from '../core/schema.ts';
import { source } from './bank_messages.ts';

/**
 * Why bank money is in suspense: its record had failed, its amount differs, or it was sent back
 * after it had been paid out; or no bank takes it: a dispute's credit, or money that was to go back. The last two
 * came without an order of their own: a request was paid again, or nobody had ordered anything (rules/received-money#1).
 */
export const suspenseReasons = [
  'late',
  'other_amount',
  'returned',
  'undeliverable',
  'paid_twice',
  'unsolicited',
] as const;

/**
 * Unmatched money (rules/review#18). It becomes an adjustment, whose id its entries have from the
 * start. Only reviewers see it, so it has no events.
 */
export const suspenseLifecycle = lifecycle('adjustment', ['held', 'matched', 'returned'], {
  receive: { from: 'new', to: 'held', by: 'bank', event: null, posts: 'suspense_received' },
  receive_unordered: {
    from: 'new',
    to: 'held',
    by: 'bank',
    event: null,
    posts: 'unordered_received',
  },
  keep: { from: 'new', to: 'held', by: ['bank', 'service'], event: null, posts: 'suspense_kept' },
  match: {
    from: ['held'],
    to: 'matched',
    by: ['reviewer', 'service'],
    event: null,
    posts: 'suspense_matched',
  },
  give_back: {
    from: ['held'],
    to: 'returned',
    by: ['reviewer', 'service'],
    event: null,
    posts: 'suspense_return_ordered',
  },
});

export const SuspenseItem = Closed({
  id: Id('Also the source_id of its entries and of the adjustment that it becomes'),
  object: Type.Literal('suspense'),
  status: OneOf(suspenseLifecycle.states),
  reason: OneOf(suspenseReasons),
  amount: Cents,
  currency: Currency,
  source_type: Nullable(source.source_type),
  source_id: Nullable(source.source_id),
  account_id: Nullable(Id('The account that it most likely belongs to')),
  linked_account_id: Nullable(Id('The bank account that it came from')),
  created_at: Instant('Received'),
  resolved_at: Nullable(Instant('Matched, or its return ordered')),
});

export type SuspenseItem = Static<typeof SuspenseItem>;
