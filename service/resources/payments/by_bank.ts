import type { FailureCode } from '@tenant-payments/contract/core/failure_codes.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  closeOrder,
  instructions,
  requestLifetimeSeconds,
  requestPayment,
  withdrawInstruction,
} from '../../rails/instructions.ts';
import { accountCounterpart } from '../accounts/counterparts.ts';
import { accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { failureCode } from '../failure_code.ts';
import { paymentLimits } from '../limits/daily_limits.ts';
import { followOptOut } from '../linked_accounts/opt_out.ts';
import { payRequest, releaseClaim } from '../payment_requests/moves.ts';
import { type PaymentRequestRow, paymentRequests } from '../payment_requests/table.ts';
import { creditOf, feesOf } from './fees.ts';
import { type PaymentRow, payments } from './table.ts';

/**
 * The payer confirmed: a Request for Payment goes to the bank, valid for 15 minutes. A dynamic
 * request is claimed meanwhile, so that no other payment pays it (rules/payments#21).
 */
export function requestFromBank(
  work: Work,
  payment: PaymentRow,
  request: PaymentRequestRow | null,
): void {
  work.move(payment, 'request', { set: { confirmed_at: work.now } });
  assert(payment.linked_account_id !== null, 'a payment by bank has a link');
  requestPayment(work, {
    sourceType: 'payment',
    sourceId: payment.id,
    orderId: payment.bank_order_id,
    linkedAccountId: payment.linked_account_id,
    amount: payment.amount,
  });
  if (request?.type === 'dynamic') work.change(request, { claimed_by: payment.id });
  const endsAt = addSeconds(work.now, requestLifetimeSeconds.payment);
  work.scheduleJob('payment_timeout', payment.id, endsAt);
}

async function loadProcessing(read: Read, id: string) {
  const payment = await read.one(payments, id);
  const [payer, payee, request, instruction, counter] = await Promise.all([
    read.one(accounts, payment.payer_account_id),
    read.one(accounts, payment.payee_account_id),
    read.maybe(paymentRequests, payment.payment_request_id),
    read.by(instructions, 'source', { source_type: 'payment', source_id: payment.id }),
    paymentLimits.loadCounted(read, payment.payer_customer_id, payment.counted_day),
  ]);
  return { payment, payer, payee, request, instruction, counter };
}
type Processing = Awaited<ReturnType<typeof loadProcessing>>;

/**
 * The bank paid the exact amount: the merchant is credited, also if suspended or closing by now.
 */
export const completePayment = command('complete_payment', {
  load: (read, { id }: { id: string }) => loadProcessing(read, id),
  decide: (work, { payment, payer, payee, request }) => {
    work.move(payment, 'complete', {
      set: { completed_at: work.now },
      post: {
        recipe: 'pay_by_bank_completed',
        parties: { payee: payee.id },
        amounts: { ...creditOf(payment), payee_fees: feesOf(payment).payeeCents },
        counterparts: { payee: accountCounterpart(payer) },
        description: payment.description,
      },
    });
    for (const account of [payer, payee]) scheduleRefundsAndClosing(work, account);
    if (request?.type === 'dynamic') payRequest(work, request, payment.id);
    work.cancelJob('payment_timeout', payment.id);
    return { record: payment };
  },
});

function failProcessing(work: Work, rows: Processing, failure: FailureCode<'payment'>): void {
  const { payment, payer, payee, request, counter } = rows;
  work.move(payment, 'fail', { set: { failure_code: failure } });
  followOptOut(work, failure, payment.linked_account_id);
  paymentLimits.giveBack(work, counter, payment.amount);
  for (const account of [payer, payee]) scheduleRefundsAndClosing(work, account);
  if (request?.claimed_by === payment.id) releaseClaim(work, request, payee);
  work.cancelJob('payment_timeout', payment.id);
}

/** The bank rejected, or the payer refused at the bank. */
export const failPayment = command('fail_payment', {
  load: (read, { id }: { id: string; failure_code: string | null }) => loadProcessing(read, id),
  decide: (work, rows, { failure_code }) => {
    failProcessing(work, rows, failureCode('payment', failure_code));
    withdrawInstruction(work, rows.instruction);
    return { record: rows.payment };
  },
});

/** Job `payment_timeout`: fails a payment without an answer 15 minutes after its confirmation. */
export const paymentTimeoutJob = command('payment_timeout', {
  load: (read, { ref }: { ref: string }) => loadProcessing(read, ref),
  decide: (work, rows, { ref }) => {
    const { status, confirmed_at } = rows.payment;
    const waits = status === 'processing' && confirmed_at !== null;
    const end = addSeconds(confirmed_at ?? work.now, requestLifetimeSeconds.payment);
    if (waits && end <= work.now) {
      failProcessing(work, rows, 'request_expired');
      closeOrder(work, rows.instruction);
    } else if (!waits) work.cancelJob('payment_timeout', ref);
    return { value: null };
  },
});
