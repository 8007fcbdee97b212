import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Work } from '../../core/work.ts';
import { type PaymentRequestRow, paymentRequests } from './table.ts';

/**
 * jobs of a request: `payment_request_expiry` at expires_at; `payment_request_ended` at once
 * when it is paid or canceled, so that its other open payments end within a second. Correctness
 * rests on the check at their confirmation, never on this cascade (decisions 1.0).
 */
export function payRequest(work: Work, request: PaymentRequestRow, paymentId: string): void {
  work.move(request, 'pay', { set: { paid_payment_id: paymentId, claimed_by: null } });
  work.cancelJob('payment_request_expiry', request.id);
  work.scheduleJob('payment_request_ended', request.id, work.now);
}

/**
 * The bank payment that claimed a request ended unpaid: it can be paid again. One whose merchant is
 * closing meanwhile ends now, as its others did (decisions 1.1, Account, cascade (b)).
 */
export function releaseClaim(
  work: Work,
  request: PaymentRequestRow,
  merchant: { readonly status: string },
): void {
  work.change(request, { claimed_by: null });
  const isClosing = merchant.status === 'closing' || merchant.status === 'closed';
  if (isClosing && request.status === 'open') closeDownRequest(work, request);
}

/** Its merchant is closing (decisions 1.1, Account, cascade (b)). */
export const closeDownRequest = (work: Work, request: PaymentRequestRow): void =>
  endRequest(work, request, 'close_down');

/** Nobody can pay it any more: its other payments end within a second. */
function endRequest(work: Work, request: PaymentRequestRow, move: 'cancel' | 'close_down'): void {
  work.move(request, move);
  work.cancelJob('payment_request_expiry', request.id);
  work.scheduleJob('payment_request_ended', request.id, work.now);
}

/** POST /v1/payment-requests/{id}/cancel: open and not claimed, else 409. */
export const cancelPaymentRequest = command('cancel_payment_request', {
  load: async (read, { id }: { id: string }) => {
    const uuid = uuidOf('payment_request', id);
    if (!uuid) throw fail('not_found');
    return read.one(paymentRequests, uuid);
  },
  decide: (work, request) => {
    if (request.status === 'open' && request.claimed_by !== null)
      throw fail('invalid_state', {
        details: {
          current_status: request.status,
          allowed: ['open'],
          reason: 'payment_in_progress',
        },
      });
    endRequest(work, request, 'cancel');
    return { record: request };
  },
});

/** Due at expires_at, or played by simulate: expires an open dynamic request. */
export function expireRequest(work: Work, request: PaymentRequestRow): void {
  if (request.type === 'static')
    throw fail('invalid_state', { details: { current_status: request.status, allowed: [] } });
  work.move(request, 'expire');
  work.cancelJob('payment_request_expiry', request.id);
}

export const requestExpiryJob = command('payment_request_expiry', {
  load: (read, { ref }: { ref: string }) => read.one(paymentRequests, ref),
  decide: (work, request) => {
    const due = request.status === 'open' && request.expires_at !== null;
    if (due && (request.expires_at ?? '') <= work.now) expireRequest(work, request);
    else if (!due) work.cancelJob('payment_request_expiry', request.id);
    return { value: null };
  },
});
