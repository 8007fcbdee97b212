import Type, { type Static } from 'typebox';
import { Cents } from '../core/money.ts';
import { Closed, Id, Instant, Nullable, OneOf } from '../core/schema.ts';
import { targetTypes } from './sessions.ts';

/**
 * Records that a bank moves money for: those that a customer confirms, a dispute's credit after
 * closing, and an adjustment, which is the platform's own: a sweep, money for the reserve, money that goes back.
 */
export const moneySources = [...targetTypes, 'dispute', 'adjustment'] as const;

export type MoneySource = (typeof moneySources)[number];

/** The record that a message or unmatched money names. */
export const source = {
  source_type: OneOf(moneySources, 'Kind of the record'),
  source_id: Id('The record that the bank named'),
};

export const bankOutcomes = ['settled', 'failed', 'returned', 'cancelled'] as const;

/**
 * Orders that a bank takes. The first two are each one message of the bank's network, the third moves money
 * between two accounts of the Tenant itself.
 */
export const instructionKinds = [
  'request_for_payment',
  'credit_transfer',
  'internal_transfer',
] as const;

/** The one who refused an order, where the bank says it. */
export const refusers = ['network', 'bank', 'customer', 'provider'] as const;
export type Refuser = (typeof refusers)[number];

/** A refusal in the bank's own words. */
export const refusal = {
  said_by: Nullable(OneOf(refusers, 'Who refused it, where the bank says so')),
  said_text: Nullable(
    Type.String({ description: "The bank's own words, without numbers of accounts and addresses" }),
  ),
};

export const BankMessage = Closed({
  id: Id('Identifier of the message'),
  object: Type.Literal('bank_message'),
  status: OneOf(['open', 'closed']),
  outcome: OneOf(bankOutcomes, 'What the bank reported of the record'),
  amount: Nullable(Cents),
  network_reason_code: Nullable(Type.String({ description: "The network's reason for a failure" })),
  ...refusal,
  reference: Nullable(Type.String({ description: "The bank's own reference of its message" })),
  ...source,
  record_status: Type.String({
    description:
      'Status of the record at that time; `returned`: money that came back had settled it, before the bank said what it sent',
  }),
  suspense_id: Nullable(Id('The suspense record of the money that came with it')),
  created_at: Instant('Heard'),
  closed_at: Nullable(Instant('When a reviewer closed it')),
  booked_at: Nullable(Instant('When a reviewer booked what it says was moved')),
});

export type BankMessage = Static<typeof BankMessage>;
