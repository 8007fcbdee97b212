import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Read } from '../../core/reader.ts';
import type { Work } from '../../core/work.ts';
import { accountCounterpart } from '../accounts/counterparts.ts';
import { accounts } from '../accounts/table.ts';
import { payerLimits } from '../limits/payer_limits.ts';
import { payRequest } from '../payment_requests/moves.ts';
import { paymentRequests } from '../payment_requests/table.ts';
import { endSession } from '../sessions/open.ts';
import { sessions } from '../sessions/table.ts';
import { takesCredits } from './eligibility.ts';
import { feesOf } from './fees.ts';
import { type PaymentRow, payments } from './table.ts';

/** What every end of an unconfirmed payment touches. */
export async function loadOpenPayment(read: Read, id: string) {
  const payment = await read.one(payments, id);
  const [session, counter] = await Promise.all([
    read.maybe(sessions, payment.session_id),
    payerLimits.loadCounted(read, payment.payer_customer_id, payment.counted_day),
  ]);
  return { payment, session, counter };
}
type OpenPayment = Awaited<ReturnType<typeof loadOpenPayment>>;

type Ending = 'cancel' | 'decline' | 'expire' | 'withdraw' | 'refuse';

/**
 * Ends an unconfirmed payment: what was held goes back, the limit is given back, its session ends.
 * @throws ApiError invalid_state when the payment is no longer open
 */
export function endPayment(
  work: Work,
  { payment, session, counter }: OpenPayment,
  ending: Ending,
  failureCode: string | null,
): PaymentRow {
  const held = payment.held_cents;
  work.move(payment, ending, {
    set: { failure_code: failureCode, held_cents: 0 },
    post: {
      recipe: 'payment_released',
      parties: { payer: payment.payer_account_id },
      amounts: { held },
    },
  });
  payerLimits.giveBack(work, counter, payment.amount);
  endSession(work, session);
  work.undue('payment_deadline', payment.id);
  return payment;
}

/** POST /v1/payments/{id}/cancel: not yet confirmed, else 409 (contract: States). */
export const cancelPayment = command('cancel_payment', {
  load: (read, { id }: { id: string }) => {
    const uuid = uuidOf('payment', id);
    if (!uuid) throw fail('not_found');
    return loadOpenPayment(read, uuid);
  },
  decide: (work, rows) => ({ record: endPayment(work, rows, 'cancel', null) }),
});

/** What a confirmation rests on besides. */
export async function loadConfirmation(read: Read, id: string) {
  const open = await loadOpenPayment(read, id);
  const { payment } = open;
  const [payer, payee, request] = await Promise.all([
    read.one(accounts, payment.payer_account_id),
    read.one(accounts, payment.payee_account_id),
    read.maybe(paymentRequests, payment.payment_request_id),
  ]);
  return { ...open, payer, payee, request };
}
type Confirmation = Awaited<ReturnType<typeof loadConfirmation>>;

/** Why a confirmation cannot complete, as an ending of the payment; null when it can. */
function obstacle({ payer, payee, request }: Confirmation): [Ending, string | null] | null {
  if (payer.status !== 'active') return ['withdraw', null];
  if (!takesCredits(payee)) return ['refuse', 'payee_not_eligible'];
  if (request?.status === 'paid') return ['refuse', 'payment_request_paid'];
  if (request?.status === 'canceled') return ['withdraw', null];
  return null;
}

/**
 * The payer confirms (decisions 1.1, Payment from balance). A check that fails ends the payment.
 * @throws ApiError invalid_state when it is not open, or its request is claimed by a bank payment
 */
export function confirmPayment(work: Work, rows: Confirmation): PaymentRow {
  const { payment, payer, payee, request } = rows;
  if (request?.claimed_by)
    throw fail('invalid_state', {
      details: { current_status: payment.status, allowed: [], reason: 'payment_in_progress' },
    });
  const ending = payment.status === 'requires_confirmation' ? obstacle(rows) : null;
  if (ending) return endPayment(work, { ...rows, session: null }, ...ending);
  const fees = feesOf(payment);
  const amounts = {
    net: payment.amount - fees.payeeCents,
    platform_fees: payment.platform_fee,
    tenant_fees: payment.tenant_fee,
    payer_fees: fees.payerCents,
    payee_fees: fees.payeeCents,
  };
  work.move(payment, 'confirm', {
    set: { held_cents: 0, confirmed_at: work.now, completed_at: work.now },
    post: {
      recipe: 'payment_completed',
      parties: { payer: payer.id, payee: payee.id },
      amounts,
      counterparts: { payer: accountCounterpart(payee), payee: accountCounterpart(payer) },
      description: payment.description,
    },
  });
  work.undue('payment_deadline', payment.id);
  if (request?.type === 'dynamic') payRequest(work, request, payment.id);
  return payment;
}
