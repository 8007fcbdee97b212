import Type, { type Static } from 'typebox';
import { Cents } from '../core/money.ts';
import { List, pageQuery } from '../core/page.ts';
import { Closed, Id, Instant, Nullable, OneOf } from '../core/schema.ts';
import { Dispute, disputeLifecycle } from '../resources/disputes.ts';
import { portalEndpoint } from './endpoint.ts';

/** Who bears an award: the merchant as far as its earmark goes, or the platform's reserve. */
export const liabilities = ['merchant', 'platform'] as const;

const deadline = (description: string) => Nullable(Instant(description));

/**
 * The case behind a dispute, for whoever looks after it (decisions 1.5). A deadline is null once it
 * is met, and where there is none; one that lies in the past has been missed.
 */
export const DisputeCase = Closed({
  ...Dispute.properties,
  disputed_amount: Nullable(Cents),
  award_amount: Nullable(Cents),
  taken_back_amount: Cents,
  earmarked_amount: Cents,
  liability: OneOf(liabilities, 'Who bears an award'),
  linked_dispute_id: Nullable(Id('The first notice of the same movement, with which it ends')),
  deadlines: Closed({
    provisional_credit: deadline('A determination or a provisional credit'),
    result: deadline('The end of the investigation'),
    credit_notice: deadline('The provisional credit told'),
    correction: deadline('The award with the customer'),
    result_notice: deadline('The determination told'),
    reversal: deadline('What was credited above the award is taken back'),
  }),
});
export type DisputeCase = Static<typeof DisputeCase>;

export const listDisputes = portalEndpoint({
  id: 'listDisputes',
  method: 'GET',
  path: '/portal/api/disputes',
  summary: 'Every dispute with its case and deadlines, newest first',
  idempotent: 'none',
  role: 'reader',
  query: Closed({
    status: Type.Optional(OneOf<readonly string[]>(disputeLifecycle.states)),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(DisputeCase) },
  errors: ['parameter_invalid'],
});
