import Type, { type Static } from 'typebox';
import { lifecycle } from '../core/lifecycle.ts';
import { Cents, Currency } from '../core/money.ts';
import { Closed, Id, Instant, Nullable, OneOf } from '../core/schema.ts';
import { source } from './bank_messages.ts';

/** The lifecycle of a request to give money back (rules/received-money#5). Only reviewers see it: it has no events. */
export const returnRequestLifecycle = lifecycle('return_request', ['open', 'accepted', 'refused'], {
  receive: { from: 'new', to: 'open', by: 'bank', event: null },
  accept: { from: ['open'], to: 'accepted', by: 'reviewer', event: null },
  refuse: { from: ['open'], to: 'refused', by: 'reviewer', event: null },
});

/** Whether the bank knows the answer; `by_hand`: its module takes none, so a person tells it. */
export const answerTellings = ['waiting', 'told', 'by_hand'] as const;

export const ReturnRequest = Closed({
  id: Id('Identifier of the request'),
  object: Type.Literal('return_request'),
  status: OneOf(returnRequestLifecycle.states),
  amount: Cents,
  currency: Currency,
  reason: Type.String({ description: "The network's reason, such as `FRAD` or `DUPL`" }),
  text: Nullable(
    Type.String({
      description: "The other bank's words, without numbers of accounts and addresses",
    }),
  ),
  reference: Type.String({ description: "The bank's own id of the request" }),
  source_type: Nullable(source.source_type),
  source_id: Nullable(Id('The record whose money it is about; null: none of the Tenant')),
  account_id: Nullable(Id('The account that has the money')),
  answer_by: Instant('By when the other bank wants an answer'),
  accepted_amount: Nullable(Cents),
  answer_text: Nullable(Type.String({ description: 'What the other bank is told' })),
  told: Nullable(OneOf(answerTellings, 'Whether the bank knows the answer')),
  created_at: Instant('Heard'),
  answered_at: Nullable(Instant('Accepted or refused')),
});
export type ReturnRequest = Static<typeof ReturnRequest>;
