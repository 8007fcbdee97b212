import { Cents } from '@tenant-payments/contract/core/money.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { SuspenseItem, suspenseLifecycle } from '@tenant-payments/contract/resources/suspense.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Unmatched money of all Tenants, and whose it may be (rules/money-desk#1). */

/** The payment itself, where the bank has told it by an id of its own. */
const ReceivedPayment = Closed(
  {
    provider_id: Type.String({ description: "The bank's own id of the payment" }),
    sender_name: Nullable(Type.String({ description: 'Who sent it, as the bank says' })),
    sender_last4: Nullable(
      Type.String({ description: "Last four digits of the sender's account" }),
    ),
    remittance: Nullable(
      Type.String({
        description: 'What the sender wrote, without numbers of accounts and addresses',
      }),
    ),
    record_id: Nullable(Id('The record whose order it names; null: it names none of the Tenant')),
  },
  'Of money without an order of its own',
);
export type ReceivedPayment = Static<typeof ReceivedPayment>;

const seen = {
  tenant_id: Id('The Tenant'),
  tenant_name: Type.String({ description: "The Tenant's name" }),
  now: Instant("The Tenant's clock"),
  record: SuspenseItem,
  references: Type.Array(Type.String(), {
    description: "The bank's own references of the messages that came with it",
  }),
  received: Nullable(ReceivedPayment),
};

export const UnmatchedMoney = Closed({ object: Type.Literal('unmatched_money'), ...seen });
export type UnmatchedMoney = Static<typeof UnmatchedMoney>;

export const listUnmatchedMoney = portalEndpoint({
  id: 'listUnmatchedMoney',
  method: 'GET',
  path: '/portal/api/unmatched-money',
  summary: 'List the unmatched money of all Tenants, oldest first',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
  query: Closed({
    tenant_id: Type.Optional(IdInput('Of this Tenant alone')),
    status: Type.Optional(OneOf(suspenseLifecycle.states, 'Default `held`')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(UnmatchedMoney) },
  errors: ['parameter_invalid'],
});

/** Why an account may own the money, the strongest first. */
export const proposalReasons = [
  'named_by_bank',
  'same_reference',
  'same_bank_account',
  'same_amount',
  'near_date',
] as const;
export type ProposalReason = (typeof proposalReasons)[number];

export const MatchProposal = Closed({
  account_id: Id('The account to credit'),
  account_status: Type.String({ description: 'A closed account takes no money' }),
  customer_id: Id('Who holds it'),
  customer: Nullable(Type.String({ description: 'Name of the customer; null: erased' })),
  reasons: Type.Array(
    Closed({
      reason: OneOf(proposalReasons),
      record_id: Id('The record that it rests on'),
      record_status: Nullable(Type.String({ description: 'Its status, where it has one' })),
      amount: Nullable(Cents),
      reference: Nullable(Type.String({ description: 'The reference that the record bears' })),
      days_apart: Nullable(
        Type.Integer({ minimum: 0, description: 'Whole days between the record and the money' }),
      ),
    }),
    { description: 'The strongest first' },
  ),
});
export type MatchProposal = Static<typeof MatchProposal>;

export const UnmatchedMoneyDetail = Closed({
  object: Type.Literal('unmatched_money_detail'),
  ...seen,
  proposals: Type.Array(MatchProposal, {
    description: 'The likeliest first, at most 10; empty once it is resolved',
  }),
  credited_account_id: Nullable(Id('The account that it was credited to')),
});
export type UnmatchedMoneyDetail = Static<typeof UnmatchedMoneyDetail>;

export const getUnmatchedMoney = portalEndpoint({
  id: 'getUnmatchedMoney',
  method: 'GET',
  path: '/portal/api/unmatched-money/:id',
  summary: 'Get unmatched money with the accounts that it may belong to, and why',
  idempotent: 'none',
  access: 'case',
  may: ['reviewer'],
  of: 'tenant',
  params: Closed({ id: IdInput('As in the path of a review move') }),
  success: { status: 200, schema: UnmatchedMoneyDetail },
  errors: ['not_found'],
});
