import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { accountCounterpart } from '../accounts/counterparts.ts';
import { takesCredits } from '../accounts/payee.ts';
import { accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { paymentLimits } from '../limits/daily_limits.ts';
import { linkedAccounts } from '../linked_accounts/table.ts';
import { payRequest } from '../payment_requests/moves.ts';
import { paymentRequests } from '../payment_requests/table.ts';
import { endSession, loadNamed, movedByFlow } from '../sessions/open.ts';
import { requestFromBank } from './by_bank.ts';
import { creditOf, feesOf } from './fees.ts';
import { type PaymentRow, payments } from './table.ts';

/** The rows that every end of an unconfirmed payment reads or changes. */
export async function loadOpenPayment(read: Read, id: string) {
  const payment = await read.one(payments, id);
  // Only a merchant's account can have refunds that wait for released money.
  const merchantId = payment.type === 'merchant_to_merchant' ? payment.payer_account_id : null;
  const [merchant, session, counter] = await Promise.all([
    read.maybe(accounts, merchantId),
    loadNamed(read, payment.session_id),
    paymentLimits.loadCounted(read, payment.payer_customer_id, payment.counted_day),
  ]);
  return { payment, merchant, session, counter };
}
type OpenPayment = Awaited<ReturnType<typeof loadOpenPayment>>;

type Ending = 'cancel' | 'decline' | 'expire' | 'withdraw' | 'refuse';

/**
 * Ends an unconfirmed payment: releases what it held, gives the limit back and ends its session.
 * @throws ApiError invalid_state when the payment is no longer open
 */
export function endPayment(
  work: Work,
  { payment, merchant, session, counter }: OpenPayment,
  ending: Ending,
  failureCode: string | null,
): PaymentRow {
  const held = payment.held_cents;
  const set = { failure_code: failureCode, held_cents: 0 };
  const parties = { payer: payment.payer_account_id };
  const post = { recipe: 'payment_released', parties, amounts: { held } } as const;
  work.move(payment, ending, held > 0 ? { set, post } : { set });
  paymentLimits.giveBack(work, counter, payment.amount);
  if (merchant) scheduleRefundsAndClosing(work, merchant);
  endSession(work, payment.session_id, session);
  work.cancelJob('payment_deadline', payment.id);
  return payment;
}

/** POST /v1/payments/{id}/cancel: 409 once it is confirmed (rules/payments#19). */
export const cancelPayment = command('cancel_payment', {
  load: (read, { id }: { id: string }) => {
    const uuid = uuidOf('payment', id);
    if (!uuid) throw fail('not_found');
    return loadOpenPayment(read, uuid);
  },
  decide: (work, rows) => ({ record: endPayment(work, rows, 'cancel', null) }),
});

/** The rows of an open payment, and those that a confirmation checks. */
export async function loadConfirmation(read: Read, id: string) {
  const open = await loadOpenPayment(read, id);
  const { payment } = open;
  const [payer, payee, request, link] = await Promise.all([
    read.one(accounts, payment.payer_account_id),
    read.one(accounts, payment.payee_account_id),
    read.maybe(paymentRequests, payment.payment_request_id),
    read.maybe(linkedAccounts, payment.linked_account_id),
  ]);
  return { ...open, payer, payee, request, link };
}
type Confirmation = Awaited<ReturnType<typeof loadConfirmation>>;

/** How a confirmation ends the payment instead; null: it can be confirmed (rules/payments#18). */
function failedConfirmation(rows: Confirmation): [Ending, string | null] | null {
  const { payer, payee, request, link } = rows;
  if (payer.status !== 'active') return ['withdraw', null];
  if (!takesCredits(payee)) return ['refuse', 'payee_not_eligible'];
  if (request?.status === 'paid') return ['refuse', 'payment_request_paid'];
  if (request?.status === 'canceled') return ['withdraw', null];
  if (link?.status === 'removed') return ['refuse', 'linked_account_removed'];
  if (link && !link.can_pay_by_bank) return ['refuse', 'linked_account_failed'];
  return null;
}

/**
 * The payer confirms: a payment from balance completes, one by bank goes to the bank. A check that
 * fails ends the payment.
 * @throws ApiError invalid_state when it is not open, or its request is claimed by a payment by
 *   bank
 */
export function confirmPayment(work: Work, rows: Confirmation): PaymentRow {
  const { payment, request } = rows;
  if (request?.claimed_by)
    throw fail('invalid_state', {
      details: { current_status: payment.status, allowed: [], reason: 'payment_in_progress' },
    });
  const ending = payment.status === 'requires_confirmation' ? failedConfirmation(rows) : null;
  if (ending) return endPayment(work, movedByFlow(rows), ...ending);
  if (payment.source === 'balance') completeFromBalance(work, rows);
  else requestFromBank(work, payment, request);
  work.cancelJob('payment_deadline', payment.id);
  return payment;
}

function completeFromBalance(work: Work, { payment, payer, payee, request }: Confirmation): void {
  const { payeeCents, payerCents } = feesOf(payment);
  work.move(payment, 'confirm', {
    set: { held_cents: 0, confirmed_at: work.now, completed_at: work.now },
    post: {
      recipe: 'payment_completed',
      parties: { payer: payer.id, payee: payee.id },
      amounts: { ...creditOf(payment), payer_fees: payerCents, payee_fees: payeeCents },
      counterparts: { payer: accountCounterpart(payee), payee: accountCounterpart(payer) },
      description: payment.description,
    },
  });
  scheduleRefundsAndClosing(work, payee);
  if (request?.type === 'dynamic') payRequest(work, request, payment.id);
}
