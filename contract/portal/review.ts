import Type, { type Static } from 'typebox';
import { lifecycle } from '../core/lifecycle.ts';
import { Cents, Currency, maximumCents } from '../core/money.ts';
import { List, pageQuery } from '../core/page.ts';
import { Closed, Id, IdInput, Instant, Nullable, OneOf, Text } from '../core/schema.ts';
import { Account } from '../resources/accounts.ts';
import { Customer } from '../resources/customers.ts';
import { Dispute } from '../resources/disputes.ts';
import { documentTypes } from '../resources/documents.ts';
import { LinkedAccount } from '../resources/linked_accounts.ts';
import { Owner } from '../resources/owners.ts';
import { targetTypes } from '../resources/sessions.ts';
import { DisputeCase } from './disputes.ts';
import { portalEndpoint } from './endpoint.ts';

/** The reviewer's queue and door (decisions 1.4; surfaces, Portal JSON). */

/**
 * Why bank money stands in suspense: its record had failed, it is of another amount than was asked
 * for, or it was sent back after it had been paid out; or a dispute's credit found no account and no
 * bank.
 */
export const suspenseReasons = ['late', 'other_amount', 'returned', 'undeliverable'] as const;

/**
 * Money that belongs to nobody yet (decisions 2.1 and 2.2). What it becomes is an adjustment, under
 * whose id it stands in the book from the first. Only reviewers see it, so nothing tells of it.
 */
export const suspenseLifecycle = lifecycle('adjustment', ['held', 'matched', 'returned'], {
  receive: { from: 'new', to: 'held', by: 'bank', event: null, posts: 'suspense_received' },
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
    by: 'reviewer',
    event: null,
    posts: 'suspense_returned',
  },
});

/** What a bank moves money for: what a customer confirms, and a dispute's credit to a closed account. */
export const moneySources = [...targetTypes, 'dispute'] as const;
export type MoneySource = (typeof moneySources)[number];

const source = {
  source_type: OneOf(moneySources, 'Kind of the record'),
  source_id: Id('The record that the bank spoke of'),
};

export const SuspenseItem = Closed({
  id: Id('Also the source_id of its entries and of the adjustment that it becomes'),
  object: Type.Literal('suspense'),
  status: OneOf(suspenseLifecycle.states),
  reason: OneOf(suspenseReasons),
  amount: Cents,
  currency: Currency,
  ...source,
  account_id: Nullable(Id('Whose money it most likely is')),
  linked_account_id: Nullable(Id('The bank account that it came from')),
  created_at: Instant('Received'),
  resolved_at: Nullable(Instant('Matched or given back')),
});
export type SuspenseItem = Static<typeof SuspenseItem>;

export const bankOutcomes = ['settled', 'failed', 'returned'] as const;

export const BankMessage = Closed({
  id: Id('Identifier of the message here'),
  object: Type.Literal('bank_message'),
  status: OneOf(['open', 'closed']),
  outcome: OneOf(bankOutcomes, 'What the bank said of the record'),
  amount: Nullable(Cents),
  network_reason_code: Nullable(Type.String({ description: "The network's reason of a failure" })),
  reference: Nullable(Type.String({ description: "The bank's own name of its message" })),
  ...source,
  record_status: Type.String({ description: 'Where the record stood when it was said' }),
  suspense_id: Nullable(Id('Where the money stands that came with it')),
  created_at: Instant('Heard'),
  closed_at: Nullable(Instant('Looked into')),
});
export type BankMessage = Static<typeof BankMessage>;

export const DocumentPublication = Closed({
  object: Type.Literal('document_publication'),
  document_type: OneOf(documentTypes),
  customers: Type.Integer({ description: 'Who are asked to accept the new version' }),
});

export const ReserveFunding = Closed({
  id: Id('The source_id of its entries'),
  object: Type.Literal('reserve_funding'),
  amount: Cents,
  currency: Currency,
});

/** Every move of the door, by resource (decisions 1.4). */
export const reviewMoves = {
  customers: ['approve', 'reject', 'request_more', 'review', 'erase'],
  owners: ['approve', 'reject'],
  documents: ['publish'],
  'linked-accounts': ['verify', 'reject', 'release_hold'],
  accounts: ['suspend', 'reactivate', 'place_hold', 'release_hold', 'adjust'],
  disputes: [
    'investigate',
    'credit',
    'resolve_approved',
    'resolve_partial',
    'resolve_denied',
    'resolve_withdrawn',
    'liability_merchant',
    'liability_platform',
  ],
  suspense: ['match', 'return'],
  'bank-messages': ['close'],
  reserve: ['fund'],
} as const;
export type ReviewResource = keyof typeof reviewMoves;

/** What waits in the queue. */
export const queuedResources = [
  'customers',
  'owners',
  'linked-accounts',
  'disputes',
  'suspense',
  'bank-messages',
] as const satisfies readonly ReviewResource[];

const Queued = Type.Union([Customer, Owner, LinkedAccount, DisputeCase, SuspenseItem, BankMessage]);

export const ReviewItem = Closed({
  object: Type.Literal('review_item'),
  resource: OneOf(queuedResources, 'As in the path of the door'),
  id: Id('As in the path of the door'),
  waiting_since: Instant('Since when the reviewer is waited for'),
  moves: Type.Array(Type.String(), { description: 'What the reviewer may do with it now' }),
  record: Queued,
});

export const listReview = portalEndpoint({
  id: 'listReview',
  method: 'GET',
  path: '/portal/api/review',
  summary: 'What waits for a reviewer, newest first',
  idempotent: 'none',
  role: 'reader',
  query: Closed({ ...pageQuery }),
  success: { status: 200, schema: List(ReviewItem) },
  errors: ['parameter_invalid'],
});

export const ReviewedRecord = Type.Union([
  Customer,
  Owner,
  LinkedAccount,
  Account,
  Dispute,
  SuspenseItem,
  BankMessage,
  DocumentPublication,
  ReserveFunding,
]);

export const reviewRecord = portalEndpoint({
  id: 'reviewRecord',
  method: 'POST',
  path: '/portal/api/review/:resource/:id/:move',
  summary: "Make a reviewer's move; who, when and the note are kept",
  idempotent: 'honored',
  role: 'operator',
  params: Closed({
    resource: IdInput(`One of ${Object.keys(reviewMoves).join(', ')}`),
    id: IdInput('The record; a document_type for documents, `reserve` for the reserve'),
    move: IdInput('A move of the resource'),
  }),
  body: Closed({
    amount: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: -maximumCents,
          maximum: maximumCents,
          description:
            'Integer cents, for adjust, fund and resolve_partial, and for credit and resolve_approved where nobody knows what is disputed; adjust gives to the customer above zero and takes back below',
        }),
      ),
    ),
    note: Type.Optional(Nullable(Text(1_000, 'Why; only reviewers read it'))),
    failure_code: Type.Optional(
      Nullable(Text(64, 'For reject of linked-accounts; absent: review_rejected')),
    ),
    account_id: Type.Optional(
      Nullable(IdInput('For match of suspense; absent: the account that it names')),
    ),
  }),
  success: { status: 200, schema: ReviewedRecord },
  errors: [
    'parameter_missing',
    'parameter_invalid',
    'not_found',
    'invalid_state',
    'insufficient_funds',
  ],
});
