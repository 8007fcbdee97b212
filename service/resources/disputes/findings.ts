import { fail } from '@tenant-payments/engine/fail.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Day } from '../limits/days.ts';
import type { Case } from './case.ts';
import { hasDeadlines } from './deadlines.ts';
import { madeAt } from './facts.ts';
import { liabilityLimit } from './liability.ts';
import { type DisputeRow, isLiabilityLimited, isReasserted } from './table.ts';

/** A refusal, or less than what is disputed, needs findings in words [1005.11(d)(1)] (rules/disputes#50). */
export const needsFinding = (row: DisputeRow): boolean =>
  !isReasserted(row) && (row.regulation_e || hasDeadlines(row) || isLiabilityLimited(row));

/** The reviewer's findings beside the award of a determination. */
export interface Found {
  /** In the words of the customer's letter. */
  readonly finding?: string | null;
  /** Cents of an unauthorized transfer that the customer bears. */
  readonly customer_bears?: number | null;
  readonly learned_on?: Day | null;
  readonly shown_on?: Day | null;
}

/** @throws ApiError parameter_missing {param: finding} */
export function assertFound(dispute: DisputeRow, { finding = null }: Found): void {
  if (finding === null && needsFinding(dispute))
    throw fail('parameter_missing', {
      param: 'finding',
      message: 'finding is missing: the customer is told what was found',
    });
}

/** When the disputed movement was made, by its record or its id; of none long ago, which limits most. */
const movedAt = ({ dispute, payment }: Case): Instant =>
  payment?.completed_at ?? (dispute.movement_id === null ? longAgo : madeAt(dispute.movement_id));
const longAgo: Instant = '2000-01-01T00:00:00.000Z';

/**
 * The part that the customer bears of an unauthorized transfer, within the limits of the law (rules/disputes#56).
 * @param rest what is not awarded of what remains, in cents; null: nobody knows what remains
 * @throws ApiError parameter_invalid {reason: not_of_this_dispute, above_maximum}
 */
export function bornBy(
  rows: Case,
  found: Found,
  rest: number | null,
): Pick<DisputeRow, 'customer_bears_cents' | 'liability_tier'> {
  const { dispute } = rows;
  const { customer_bears = null, learned_on = null, shown_on = null } = found;
  for (const [param, value] of Object.entries({ customer_bears, learned_on, shown_on }))
    if (value !== null && !isLiabilityLimited(dispute))
      throw fail('parameter_invalid', { param, details: { reason: 'not_of_this_dispute' } });
  if (customer_bears === null) return { customer_bears_cents: null, liability_tier: null };
  const { tier, maximum } = liabilityLimit(
    { learnedOn: learned_on, shownOn: shown_on, isExtenuating: dispute.extenuating_at !== null },
    {
      moved: movedAt(rows),
      noticeAt: dispute.notice_received_at,
      amount: rest ?? Number.MAX_SAFE_INTEGER,
    },
  );
  if (customer_bears > maximum)
    throw fail('parameter_invalid', {
      param: 'customer_bears',
      details: { reason: 'above_maximum', maximum },
    });
  return { customer_bears_cents: customer_bears, liability_tier: tier };
}
