import { lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import { Cents, Currency, maximumCents } from '@tenant-payments/contract/core/money.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import { Account } from '@tenant-payments/contract/resources/accounts.ts';
import { Customer } from '@tenant-payments/contract/resources/customers.ts';
import { Dispute } from '@tenant-payments/contract/resources/disputes.ts';
import { documentTypes, LegalText } from '@tenant-payments/contract/resources/documents.ts';
import { LinkedAccount } from '@tenant-payments/contract/resources/linked_accounts.ts';
import { Owner } from '@tenant-payments/contract/resources/owners.ts';
import { targetTypes } from '@tenant-payments/contract/resources/sessions.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { DisputeCase } from './disputes.ts';

/** The reviewer's queue and moves (rules/review#1). */

/**
 * Why bank money is in suspense: its record had failed, its amount differs, or it was sent back
 * after it had been paid out; or a dispute's credit has neither account nor bank.
 */
export const suspenseReasons = ['late', 'other_amount', 'returned', 'undeliverable'] as const;

/**
 * Unmatched money (rules/review#18). It becomes an adjustment, whose id its entries have from the
 * start. Only reviewers see it, so it has no events.
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

/**
 * Records that a bank moves money for: those that a customer confirms, and a dispute's credit after
 * closing.
 */
export const moneySources = [...targetTypes, 'dispute'] as const;
export type MoneySource = (typeof moneySources)[number];

const source = {
  source_type: OneOf(moneySources, 'Kind of the record'),
  source_id: Id('The record that the bank named'),
};

export const SuspenseItem = Closed({
  id: Id('Also the source_id of its entries and of the adjustment that it becomes'),
  object: Type.Literal('suspense'),
  status: OneOf(suspenseLifecycle.states),
  reason: OneOf(suspenseReasons),
  amount: Cents,
  currency: Currency,
  ...source,
  account_id: Nullable(Id('The account that it most likely belongs to')),
  linked_account_id: Nullable(Id('The bank account that it came from')),
  created_at: Instant('Received'),
  resolved_at: Nullable(Instant('Matched or given back')),
});
export type SuspenseItem = Static<typeof SuspenseItem>;

export const bankOutcomes = ['settled', 'failed', 'returned'] as const;

export const BankMessage = Closed({
  id: Id('Identifier of the message'),
  object: Type.Literal('bank_message'),
  status: OneOf(['open', 'closed']),
  outcome: OneOf(bankOutcomes, 'What the bank reported of the record'),
  amount: Nullable(Cents),
  network_reason_code: Nullable(Type.String({ description: "The network's reason for a failure" })),
  reference: Nullable(Type.String({ description: "The bank's own reference of its message" })),
  ...source,
  record_status: Type.String({ description: 'Status of the record at that time' }),
  suspense_id: Nullable(Id('The suspense record of the money that came with it')),
  created_at: Instant('Heard'),
  closed_at: Nullable(Instant('When a reviewer closed it')),
});
export type BankMessage = Static<typeof BankMessage>;

export const DocumentPublication = Closed({
  object: Type.Literal('document_publication'),
  document_type: OneOf(documentTypes),
  version: LegalText.properties.version,
  customers: Type.Integer({ description: 'Customers who must accept the new version' }),
});

export const ReserveFunding = Closed({
  id: Id('The source_id of its entries'),
  object: Type.Literal('reserve_funding'),
  amount: Cents,
  currency: Currency,
});

/** Every move of a reviewer, by resource (rules/review#4). */
export const reviewMoves = {
  customers: [
    'approve',
    'reject',
    'request_more',
    'review',
    'erase',
    'allow_pin_reset',
    'remove_passkeys',
  ],
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

/** What a closing account may wait for, in the order of its steps (rules/closing#6). */
export const closingWaits = [
  'legal_hold',
  'suspension',
  'payments',
  'loads',
  'withdrawals',
  'refunds',
  'disputes',
  'linked_account',
  'withdrawal_hold',
] as const;
export type ClosingWait = (typeof closingWaits)[number];

export const ClosingAccount = Closed({
  ...Account.properties,
  waits_for: Nullable(OneOf(closingWaits, 'What the last closing step waited for')),
  waits_until: Nullable(Instant('Until when, where that is known: the end of a withdrawal hold')),
});
export type ClosingAccount = Static<typeof ClosingAccount>;

/** Resources that can wait in the queue; accounts while they are closing. */
export const queuedResources = [
  'customers',
  'owners',
  'linked-accounts',
  'accounts',
  'disputes',
  'suspense',
  'bank-messages',
] as const satisfies readonly ReviewResource[];

export const Queued = Type.Union([
  Customer,
  Owner,
  LinkedAccount,
  ClosingAccount,
  DisputeCase,
  SuspenseItem,
  BankMessage,
]);

export const ReviewItem = Closed({
  object: Type.Literal('review_item'),
  resource: OneOf(queuedResources, 'As in the path of a review move'),
  id: Id('As in the path of a review move'),
  waiting_since: Instant('Since when it waits for a reviewer'),
  moves: Type.Array(Type.String(), { description: 'Moves that a reviewer can make now' }),
  record: Queued,
});

export const listReview = portalEndpoint({
  id: 'listReview',
  method: 'GET',
  path: '/portal/api/review',
  summary: 'List what waits for a reviewer, newest first',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'tenant',
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
  summary: "Make a reviewer's move; who, when and the note are recorded",
  idempotent: 'honored',
  may: ['reviewer'],
  of: 'tenant',
  stepUp: 'by_move',
  // Both languages of a document.
  largestBody: 2 ** 20,
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
            'Integer cents, for adjust, fund and resolve_partial, and for credit and resolve_approved where the disputed amount is unknown; adjust credits the customer above zero and debits below',
        }),
      ),
    ),
    note: Type.Optional(Nullable(Readable(1_000, 'Reason; only reviewers see it'))),
    failure_code: Type.Optional(
      Nullable(Text(64, 'For reject of linked-accounts; default review_rejected')),
    ),
    finding: Type.Optional(
      Nullable(
        Readable(
          2_000,
          'For resolve_denied and resolve_partial: what was found, in the words of the letter to the customer',
        ),
      ),
    ),
    account_id: Type.Optional(
      Nullable(IdInput('For match of suspense; default is the account that it names')),
    ),
    version: Type.Optional(Nullable(LegalText.properties.version)),
    title: Type.Optional(Nullable(LegalText.properties.title)),
    text: Type.Optional(Nullable(LegalText.properties.text)),
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
