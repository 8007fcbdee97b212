import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { sendCredit } from '../../rails/instructions.ts';
import { accountCounterpart, bankCounterpart } from '../accounts/counterparts.ts';
import { accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { disputes } from '../disputes/table.ts';
import { failureCode } from '../failure_code.ts';
import { linkedAccounts } from '../linked_accounts/table.ts';
import { type PaymentRow, payments } from '../payments/table.ts';
import { rowNow } from '../row_now.ts';
import { endSession, loadNamed, movedByFlow } from '../sessions/open.ts';
import { destinationFailure } from './destination.ts';
import {
  type Funding,
  fundingOf,
  giveEarmarkBack,
  isCoveredByAwards,
  takeEarmark,
} from './earmark.ts';
import { type RefundFailure, type RefundRow, refunds } from './table.ts';

/** How long a refund waits for funds (rules/refunds#23). */
const waitSeconds = lifetimes.refundPendingFunds;

/** Every row that a move of a refund reads or changes. */
export async function loadRefund(read: Read, id: string) {
  const refund = await read.one(refunds, id);
  const [payment, merchant, balance, payer, link, session] = await Promise.all([
    read.one(payments, refund.payment_id),
    read.one(accounts, refund.merchant_account_id),
    read.one(balances, refund.merchant_account_id),
    read.one(accounts, refund.payer_account_id),
    read.maybe(linkedAccounts, refund.linked_account_id),
    loadNamed(read, refund.session_id),
  ]);
  // The dispute whose earmark it took, or else could take.
  const dispute = await read.maybe(disputes, refund.dispute_id ?? payment.dispute_id);
  return { refund, payment, merchant, balance, payer, link, session, dispute };
}
export type RefundRows = Awaited<ReturnType<typeof loadRefund>>;

type Ending = 'decline' | 'expire' | 'refuse' | 'give_up' | 'fail';

/** A refund leaves pending_funds (rules/refunds#18). */
function stopWaiting(work: Work, { refund, merchant }: RefundRows): void {
  work.change(merchant, { waiting_claims: merchant.waiting_claims - 1 });
  work.cancelJob('refund_wait', refund.id);
}

/**
 * Fails a refund: what it held goes back to the merchant, and it no longer counts against the
 * payment.
 * @throws ApiError invalid_state when the lifecycle does not allow it
 */
export function failRefund(
  work: Work,
  rows: RefundRows,
  ending: Ending,
  failure: RefundFailure,
): RefundRow {
  const { refund, payment, merchant, session, dispute } = rows;
  const waited = refund.status === 'pending_funds';
  const returned = giveEarmarkBack(work, dispute, refund);
  const held = refund.held_cents - returned;
  const set = { failure_code: failure, held_cents: 0, returned_cents: returned };
  const parties = { merchant: merchant.id };
  const post = { recipe: 'refund_released', parties, amounts: { held } } as const;
  if (ending === 'fail') work.move(refund, ending, { set, post });
  else if (ending === 'give_up') work.move(refund, ending, { set });
  else work.move(refund, ending, held > 0 ? { set, post } : { set });
  work.change(payment, {
    open_refunds: payment.open_refunds - refund.amount,
    // Only a bank fails a refund in processing.
    refunding_cents: payment.refunding_cents - (ending === 'fail' ? refund.amount : 0),
  });
  if (waited) stopWaiting(work, rows);
  scheduleRefundsAndClosing(work, merchant);
  endSession(work, refund.session_id, session);
  work.cancelJob('refund_deadline', refund.id);
  return refund;
}

/**
 * Adds a completed refund to its payment. A job ends the payment's dispute if refunds now cover it
 * (rules/disputes#20).
 */
function refundPayment(work: Work, payment: PaymentRow, amount: number): void {
  if (payment.dispute_id !== null) work.scheduleJob('dispute_follow', payment.dispute_id, work.now);
  const refunded_amount = payment.refunded_amount + amount;
  const move = refunded_amount === payment.amount ? 'refund_rest' : 'refund_part';
  const open_refunds = payment.open_refunds - amount;
  work.move(payment, move, { set: { refunded_amount, open_refunds } });
}

/** Pays a funded refund: to a balance at once, to a bank account by a credit transfer. */
function pay(work: Work, { refund, payment, merchant, payer }: RefundRows): void {
  const { amount, linked_account_id, bank_order_id } = refund;
  if (linked_account_id !== null) {
    const order = { sourceType: 'refund', sourceId: refund.id, amount } as const;
    sendCredit(work, { ...order, orderId: bank_order_id, linkedAccountId: linked_account_id });
    work.change(payment, { refunding_cents: payment.refunding_cents + amount });
    return;
  }
  work.move(refund, 'credit', {
    set: { completed_at: work.now, held_cents: 0 },
    post: {
      recipe: 'refund_completed_balance',
      parties: { merchant: merchant.id, payer: payer.id },
      amounts: { amount },
      counterparts: { merchant: accountCounterpart(payer), payer: accountCounterpart(merchant) },
      description: payment.description,
    },
  });
  refundPayment(work, payment, amount);
  for (const account of [merchant, payer]) scheduleRefundsAndClosing(work, account);
}

/** Why a confirmation fails the refund; null: it does not. */
function confirmationFailure(rows: RefundRows): RefundFailure | null {
  if (rows.merchant.status !== 'active') return 'account_restricted';
  return unpayableReason(rows);
}

/** Why the refund can no longer be paid, funded or not (rules/refunds#13). */
export function unpayableReason({
  refund,
  payment,
  payer,
  link,
}: RefundRows): RefundFailure | null {
  if (isCoveredByAwards(payment, refund)) return 'dispute_credited';
  return destinationFailure(refund, payer, link);
}

/**
 * The funding of the refund now; null: not funded.
 * @throws LoadAgain where another dispute was filed meanwhile
 */
export const fundingNow = ({ refund, payment, dispute, balance }: RefundRows): Funding | null =>
  fundingOf(rowNow(refund.dispute_id ?? payment.dispute_id, dispute), balance, refund.amount);

/** Holds the whole amount; the part from a dispute's earmark posts nothing. */
function hold(work: Work, { refund, merchant, dispute }: RefundRows, funding: Funding) {
  const set = { held_cents: refund.amount, ...takeEarmark(work, dispute, funding) };
  const parties = { merchant: merchant.id };
  const post = { recipe: 'refund_held', parties, amounts: { held: funding.held } } as const;
  return { set, post };
}

/**
 * The merchant's user confirms. A refund that is not funded waits in the queue; a check that fails
 * ends it.
 * @throws ApiError invalid_state when the refund is not open
 */
export function confirmRefund(work: Work, rows: RefundRows): RefundRow {
  const { refund, merchant } = rows;
  const failure = refund.status === 'requested' ? confirmationFailure(rows) : null;
  if (failure) return failRefund(work, movedByFlow(rows), 'refuse', failure);
  const funding = fundingNow(rows);
  const set = { confirmed_at: work.now };
  if (refund.held_cents > 0) work.move(refund, 'confirm', { set });
  else if (funding && refund.status === 'requested') {
    const held = hold(work, rows, funding);
    work.move(refund, 'confirm', { ...held, set: { ...held.set, ...set } });
  } else {
    work.move(refund, 'wait', { set: { ...set, waiting_since: work.now } });
    work.change(merchant, { waiting_claims: merchant.waiting_claims + 1 });
    work.scheduleJob('refund_wait', refund.id, addSeconds(work.now, waitSeconds));
    // A credit in the same batch did not see this claim, so the queue runs once more.
    work.scheduleJob('refund_queue', merchant.id, work.now);
  }
  work.cancelJob('refund_deadline', refund.id);
  if (refund.status === 'processing') pay(work, rows);
  return refund;
}

/** The refund's turn has come and it is funded. */
export function fundRefund(work: Work, rows: RefundRows, funding: Funding): void {
  work.move(rows.refund, 'fund', hold(work, rows, funding));
  stopWaiting(work, rows);
  pay(work, rows);
}

/** The bank accepted: the refund is applied. */
export const completeRefund = command('complete_refund', {
  load: (read, { id }: { id: string }) => loadRefund(read, id),
  decide: (work, { refund, payment, merchant, link }) => {
    const { amount } = refund;
    work.move(refund, 'complete', {
      set: { completed_at: work.now, held_cents: 0 },
      post: {
        recipe: 'refund_completed_bank',
        parties: { merchant: merchant.id },
        amounts: { amount },
        counterparts: { merchant: link && bankCounterpart(link) },
        description: payment.description,
      },
    });
    assert(link, 'a refund that the bank completes goes to a link');
    work.change(payment, { refunding_cents: payment.refunding_cents - amount });
    refundPayment(work, payment, amount);
    scheduleRefundsAndClosing(work, merchant);
    return { record: refund };
  },
});

/** The bank rejected. */
export const failBankRefund = command('fail_refund', {
  load: (read, { id }: { id: string; failure_code: string | null }) => loadRefund(read, id),
  decide: (work, rows, { failure_code }) => ({
    record: failRefund(work, rows, 'fail', failureCode('refund', failure_code)),
  }),
});
