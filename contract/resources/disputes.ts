import Type, { type Static } from 'typebox';
import { disputeTypes } from '../core/dispute_types.ts';
import { endpoint } from '../core/endpoint.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Metadata, MetadataFilter } from '../core/metadata.ts';
import { Cents } from '../core/money.ts';
import { List, pageQuery } from '../core/page.ts';
import { recordRead } from '../core/reads.ts';
import {
  Closed,
  Extension,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  ReadableAsGiven,
  Version,
} from '../core/schema.ts';

/** How an investigation ends (rules/disputes#19). */
export const disputeOutcomes = [
  'approved',
  'partially_approved',
  'denied',
  'refunded_by_merchant',
  'withdrawn',
] as const;

/** The longest description in code points (rules/disputes#1). */
const longestDescription = 2000;

const unresolved = ['received', 'investigating', 'provisional_credit'] as const;

/** The steps that a determination may post: the award, the merchant's part of it, the rest of the earmark. */
const awarded = [
  'dispute_credited',
  'dispute_credit_ordered',
  'dispute_recovered',
  'dispute_released',
] as const;

/**
 * Customers' notices of errors, unauthorized transfers and purchase disputes (rules/disputes#18). A
 * second notice of the same movement is linked to the first and resolves and closes with it.
 */
export const disputeLifecycle = lifecycle(
  'dispute',
  ['received', 'investigating', 'provisional_credit', 'resolved', 'closed'],
  {
    create: { from: 'new', to: 'received', by: 'tenant', mayPost: 'dispute_held' },
    investigate: {
      from: ['received'],
      to: 'investigating',
      by: ['reviewer', 'service'],
      simulate: 'dispute.investigating',
    },
    /** A notice that was answered before is investigated again (rules/disputes#60). */
    reopen: {
      from: ['received'],
      to: 'investigating',
      by: 'reviewer',
      mayPost: 'dispute_held',
      simulate: 'dispute.reopened',
    },
    /** Handles it as another kind than the Tenant gave (rules/disputes#62). */
    classify: {
      from: unresolved,
      to: 'same',
      by: 'reviewer',
      event: 'dispute.updated',
      simulate: 'dispute.classified',
    },
    credit: {
      from: ['investigating'],
      to: 'provisional_credit',
      by: ['reviewer', 'service'],
      posts: ['dispute_credited', 'dispute_credit_ordered'],
      simulate: 'dispute.provisional_credit',
    },
    resolve_approved: {
      from: unresolved,
      to: 'resolved',
      by: 'reviewer',
      mayPost: awarded,
      simulate: 'dispute.resolved_approved',
    },
    resolve_partial: {
      from: unresolved,
      to: 'resolved',
      by: 'reviewer',
      mayPost: awarded,
      simulate: 'dispute.resolved_partial',
    },
    resolve_denied: {
      from: unresolved,
      to: 'resolved',
      by: 'reviewer',
      mayPost: 'dispute_released',
      simulate: 'dispute.resolved_denied',
    },
    resolve_withdrawn: {
      from: unresolved,
      to: 'resolved',
      by: 'reviewer',
      mayPost: 'dispute_released',
      simulate: 'dispute.resolved_withdrawn',
    },
    /** Refunds cover the disputed amount. */
    resolve_refunded: {
      from: unresolved,
      to: 'resolved',
      by: 'service',
      mayPost: 'dispute_released',
    },
    /** The first notice of the movement has resolved. */
    resolve_linked: { from: unresolved, to: 'resolved', by: 'service' },
    /** At once, or after the credit above the award has been taken back. */
    close: {
      from: ['resolved'],
      to: 'closed',
      by: 'service',
      mayPost: 'dispute_reversed',
      simulate: 'dispute.closed',
    },
  },
);

export const Dispute = Closed({
  id: Id('Dispute identifier'),
  object: Type.Literal('dispute'),
  customer_id: Id('Customer who gave notice'),
  type: OneOf(disputeTypes),
  payment_id: Nullable(Id('Payment in dispute')),
  transaction_id: Nullable(Id('Transaction in dispute, where there is no payment')),
  description: Type.String({ description: "The customer's words as given" }),
  regulation_e: Type.Boolean({
    description: 'The notice is handled under Regulation E error resolution',
  }),
  notice_received_at: Instant('When the customer first gave notice'),
  status: OneOf(disputeLifecycle.states),
  provisional_credit_amount: Nullable(Cents),
  outcome: Nullable(OneOf(disputeOutcomes, 'Result of the investigation')),
  resolved_at: Nullable(Instant('Determination')),
  created_at: Instant('Creation time'),
  updated_at: Instant('Last change'),
  version: Version,
  metadata: Metadata,
  handled_as: Extension(
    Nullable(
      OneOf(disputeTypes, 'The type that a reviewer has the notice handled as; absent: its `type`'),
    ),
  ),
  reasserted: Extension(
    Nullable(
      Type.Boolean({
        description:
          'The same was notified and answered before: no deadline and no automatic credit, unless a reviewer opens it again or handles it as another kind (false); absent: it was not',
      }),
    ),
  ),
});
export type Dispute = Static<typeof Dispute>;

export const createDispute = endpoint({
  id: 'createDispute',
  method: 'POST',
  path: '/v1/disputes',
  summary: "Forward a customer's notice, within one business day of receiving it",
  idempotent: 'required',
  body: Closed({
    customer_id: IdInput('Customer who gave notice'),
    type: OneOf(disputeTypes),
    payment_id: Type.Optional(Nullable(IdInput('Payment in dispute'))),
    transaction_id: Type.Optional(Nullable(IdInput('Transaction, where there is no payment'))),
    description: ReadableAsGiven(longestDescription, "The customer's words as given"),
    notice_received_at: Instant('When the customer gave notice, to the Tenant or to the service'),
    metadata: Metadata,
  }),
  success: { status: 201, schema: Dispute },
  errors: ['parameter_missing', 'not_found'],
});

export const listDisputes = endpoint({
  id: 'listDisputes',
  method: 'GET',
  path: '/v1/disputes',
  summary: 'List disputes, newest first',
  idempotent: 'none',
  query: Closed({
    customer_id: Type.Optional(IdInput('Customer who gave notice')),
    status: Type.Optional(OneOf(disputeLifecycle.states)),
    metadata: MetadataFilter,
    ...pageQuery,
  }),
  success: { status: 200, schema: List(Dispute) },
  errors: ['parameter_invalid'],
});

export const getDispute = recordRead('getDispute', '/v1/disputes/:id', 'Get a dispute', Dispute);
