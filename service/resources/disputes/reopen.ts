import { command } from '@tenant-payments/engine/command.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import { feesOf } from '../payments/fees.ts';
import { assertMoveAllowed, loadCase, refuse, remainingOf } from './case.ts';
import type { ReviewerInput } from './moves.ts';
import { disputes, isLiabilityLimited, isReasserted, isUnresolved } from './table.ts';

/** A notice that was answered before is investigated again, on new evidence (rules/disputes#60). */

/** @throws ApiError invalid_state, also {reason: linked, not_reasserted} */
export const reopenDispute = command('reopen_dispute', {
  load: async (read, { id }: Pick<ReviewerInput, 'id'>) => {
    const rows = await loadCase(read, id);
    return { rows, balance: await read.maybe(balances, rows.dispute.merchant_account_id) };
  },
  decide: (work, { rows, balance }) => {
    const { dispute, payment, merchant } = rows;
    assertMoveAllowed(dispute, 'reopen');
    if (!isReasserted(dispute)) throw refuse(dispute, 'not_reasserted');
    // The merchant never had the payer's fees.
    const fee = payment ? feesOf(payment).payerCents : 0;
    const received = Math.max((remainingOf(rows) ?? 0) - fee, 0);
    // The earmark of its receipt as another kind stays, and is never topped up (rules/disputes#13).
    const isFree = merchant !== null && dispute.earmarked_cents === 0;
    const held = isFree ? Math.min(received, balance?.available ?? 0) : 0;
    const set = { reopened_at: work.now };
    const parties = { merchant: merchant?.id ?? '' };
    const post = { recipe: 'dispute_held', parties, amounts: { held } } as const;
    const earmark = { set: { ...set, earmarked_cents: held, held_cents: held }, post };
    work.move(dispute, 'reopen', held > 0 ? earmark : { set });
    return { record: dispute };
  },
});

/**
 * The customer was given the documents that a determination rests on. Who gives notice of the same within 60 days
 * after that has its full rights again (rules/disputes#59).
 * @throws ApiError invalid_state {reason: unresolved, linked}
 */
export const givePapers = command('give_papers', {
  load: (read, { id }: Pick<ReviewerInput, 'id'>) => read.one(disputes, id),
  decide: (work, dispute) => {
    if (isUnresolved(dispute)) throw refuse(dispute, 'unresolved');
    if (dispute.linked_to !== null) throw refuse(dispute, 'linked');
    work.change(dispute, { papers_given_at: work.now });
    return { record: dispute };
  },
});

/**
 * Why the notice came late is accepted [1005.6(b)(4)]: the times within which the customer bears less are extended
 * (rules/disputes#57).
 * @throws ApiError invalid_state {reason: resolved, linked, not_of_this_dispute}
 */
export const acceptDelay = command('extenuating', {
  load: (read, { id }: Pick<ReviewerInput, 'id'>) => read.one(disputes, id),
  decide: (work, dispute) => {
    if (!isUnresolved(dispute)) throw refuse(dispute, 'resolved');
    if (dispute.linked_to !== null) throw refuse(dispute, 'linked');
    if (!isLiabilityLimited(dispute)) throw refuse(dispute, 'not_of_this_dispute');
    work.change(dispute, { extenuating_at: work.now });
    return { record: dispute };
  },
});
