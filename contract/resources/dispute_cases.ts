import Type, { type Static } from 'typebox';
import { disputeTypes } from '../core/dispute_types.ts';
import { Cents } from '../core/money.ts';
import { Closed, Id, Instant, Nullable, OneOf } from '../core/schema.ts';
import { Dispute } from './disputes.ts';

/** The parties that may bear an award: the merchant up to its earmark, or the platform's reserve. */
export const liabilities = ['merchant', 'platform'] as const;

/** The tiers of the most that a customer bears of an unauthorized transfer, by 12 CFR 1005.6(b) (rules/disputes#55). */
export const liabilityTiers = ['none', 'fifty', 'five_hundred', 'unlimited'] as const;
export type LiabilityTier = (typeof liabilityTiers)[number];

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
  suggested_type: Nullable(
    OneOf(
      disputeTypes,
      "The kind that the customer's words speak of, where it contradicts the type",
    ),
  ),
  liability_limited: Type.Boolean({
    description:
      'An unauthorized transfer whose liability 12 CFR 1005.6 limits, also after a late notice',
  }),
  extenuating: Type.Boolean({
    description:
      'A reviewer has accepted why the customer gave notice late, by 12 CFR 1005.6(b)(4)',
  }),
  finding_required: Type.Boolean({
    description: 'A denial or a lesser award needs what was found, in words',
  }),
  reasserted_of: Nullable(Id('The answered notice of the same, where this one is filed again')),
  reopened_at: Nullable(Instant('When a notice that is filed again was opened')),
  papers_given_at: Nullable(Instant('When the customer was given the documents relied on')),
  customer_bears_amount: Nullable(Cents),
  liability_tier: Nullable(OneOf(liabilityTiers, 'By which the customer bears that amount')),
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
