import Type, { type Static } from 'typebox';
import { Cents } from '../core/money.ts';
import { Closed, Id, Instant, Nullable, OneOf } from '../core/schema.ts';
import { Dispute } from './disputes.ts';

/** Who bears an award: the merchant up to its earmark, or the platform's reserve. */
export const liabilities = ['merchant', 'platform'] as const;

const Days = (description: string) => Type.Integer({ minimum: 0, description });

const deadline = (description: string) => Nullable(Instant(description));

/**
 * The case behind a dispute, for the operator (rules/disputes#39). A deadline is null when it is
 * met and where there is none; a deadline in the past was missed.
 */
export const DisputeCase = Closed({
  ...Dispute.properties,
  late_notice: Type.Boolean({
    description:
      'The customer gave notice later than 60 days after the statement that first shows the movement, so Regulation E no longer applies',
  }),
  late_notice_days: Days('Days after the last on which the notice was in time; 0: in time'),
  forwarded_late: Type.Boolean({
    description: 'The Tenant forwarded the notice later than one business day after its receipt',
  }),
  forwarded_late_days: Days('Days after the last on which forwarding was in time; 0: in time'),
  disputed_amount: Nullable(Cents),
  award_amount: Nullable(Cents),
  taken_back_amount: Cents,
  earmarked_amount: Cents,
  liability: OneOf(liabilities, 'Who bears an award'),
  linked_dispute_id: Nullable(Id('The first notice of the same movement; both resolve together')),
  deadlines: Closed({
    provisional_credit: deadline('Determination or provisional credit'),
    result: deadline('End of the investigation'),
    credit_notice: deadline('Notice of the provisional credit'),
    correction: deadline('Award paid to the customer'),
    result_notice: deadline('Notice of the determination'),
    reversal: deadline('The credit above the award is taken back'),
  }),
});

export type DisputeCase = Static<typeof DisputeCase>;
