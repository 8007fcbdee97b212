import { disputeTypes } from '@tenant-payments/contract/core/dispute_types.ts';
import { identityDocumentKinds } from '@tenant-payments/contract/core/identity_documents.ts';
import { Cents, Currency, maximumCents } from '@tenant-payments/contract/core/money.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Day,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import { Account } from '@tenant-payments/contract/resources/accounts.ts';
import { BankMessage } from '@tenant-payments/contract/resources/bank_messages.ts';
import { closingWaits } from '@tenant-payments/contract/resources/closing.ts';
import { Customer } from '@tenant-payments/contract/resources/customers.ts';
import { DisputeCase } from '@tenant-payments/contract/resources/dispute_cases.ts';
import { Dispute } from '@tenant-payments/contract/resources/disputes.ts';
import { documentTypes, LegalText } from '@tenant-payments/contract/resources/documents.ts';
import {
  HeldLinkedAccount,
  LinkedAccount,
} from '@tenant-payments/contract/resources/linked_accounts.ts';
import { Notice } from '@tenant-payments/contract/resources/notices.ts';
import { Owner } from '@tenant-payments/contract/resources/owners.ts';
import { ReturnRequest } from '@tenant-payments/contract/resources/return_requests.ts';
import { SuspenseItem } from '@tenant-payments/contract/resources/suspense.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The reviewer's queue and moves (rules/review#1). */

export const DocumentPublication = Closed({
  object: Type.Literal('document_publication'),
  document_type: OneOf(documentTypes),
  version: LegalText.properties.version,
  customers: Type.Integer({ description: 'Customers who must accept the new version' }),
  effective_at: Instant('From when on it holds for them'),
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
    'withdraw_electronic',
    'restore_electronic',
    'open_identity',
  ],
  owners: ['approve', 'reject', 'open_identity'],
  documents: ['publish'],
  'linked-accounts': ['verify', 'reject', 'release_hold', 'lift_opt_out'],
  accounts: ['suspend', 'reactivate', 'place_hold', 'release_hold', 'adjust'],
  disputes: [
    'investigate',
    'reopen',
    'classify',
    'extenuating',
    'credit',
    'resolve_approved',
    'resolve_partial',
    'resolve_denied',
    'resolve_withdrawn',
    'liability_merchant',
    'liability_platform',
    'give_papers',
  ],
  suspense: ['match', 'return'],
  'bank-messages': ['close', 'book'],
  'return-requests': ['accept', 'refuse'],
  notices: ['give'],
  reserve: ['fund'],
} as const;
export type ReviewResource = keyof typeof reviewMoves;

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
  'return-requests',
  'notices',
] as const satisfies readonly ReviewResource[];

export const Queued = Type.Union([
  Customer,
  Owner,
  HeldLinkedAccount,
  ClosingAccount,
  DisputeCase,
  SuspenseItem,
  BankMessage,
  ReturnRequest,
  Notice,
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
  ReturnRequest,
  Notice,
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
            'Integer cents, for adjust, fund and resolve_partial, for a part of a return request, and for credit and resolve_approved where the disputed amount is unknown; adjust credits the customer above zero and debits below',
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
          'For resolve_denied and resolve_partial: what was found, in the words of the letter to the customer; for return-requests: what the other bank is told; for notices: how it was given',
        ),
      ),
    ),
    asks: Type.Optional(
      Nullable(
        Type.Array(OneOf(identityDocumentKinds), {
          minItems: 1,
          maxItems: identityDocumentKinds.length,
          uniqueItems: true,
          description: 'For request_more: the documents that are wanted; null: the data again',
        }),
      ),
    ),
    handled_as: Type.Optional(
      Nullable(OneOf(disputeTypes, 'For classify: the kind that the notice is handled as')),
    ),
    customer_bears: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: maximumCents,
          description:
            'For resolve_denied and resolve_partial of an unauthorized transfer: what the customer bears of it, in cents, within the limits of 12 CFR 1005.6',
        }),
      ),
    ),
    learned_on: Type.Optional(
      Nullable(
        Day(
          'For customer_bears: when the customer learned of a loss or theft; absent: there was none',
        ),
      ),
    ),
    shown_on: Type.Optional(
      Nullable(
        Day(
          'For customer_bears: when a statement was sent that showed an earlier unauthorized transfer, where a notice within 60 days would have prevented this one',
        ),
      ),
    ),
    account_id: Type.Optional(
      Nullable(IdInput('For match of suspense; default is the account that it names')),
    ),
    version: Type.Optional(Nullable(LegalText.properties.version)),
    title: Type.Optional(Nullable(LegalText.properties.title)),
    text: Type.Optional(Nullable(LegalText.properties.text)),
    security_reason: Type.Optional(
      Nullable(
        Readable(
          500,
          'For publish: why the version must hold at once for those who accepted an earlier one, to keep or restore security; kept',
        ),
      ),
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
