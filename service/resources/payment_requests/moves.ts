import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type PaymentRequestRow, paymentRequests } from './table.ts';

/**
 * A payment paid the request. The job `payment_request_ended` ends its other open payments at once;
 * the check at their confirmation decides in any case (rules/payment-requests#15).
 */
export function payRequest(work: Work, request: PaymentRequestRow, paymentId: string): void {
  work.move(request, 'pay', { set: { paid_payment_id: paymentId, claimed_by: null } });
  work.cancelJob('payment_request_expiry', request.id);
  work.scheduleJob('payment_request_ended', request.id, work.now);
}

/**
 * The payment by bank that claimed a request failed: the request can be paid again. If its merchant
 * is closing by now, it is canceled (rules/payment-requests#17).
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

/** Cancels a request of a closing merchant (rules/closing#4). */
export const closeDownRequest = (work: Work, request: PaymentRequestRow): void =>
  endRequest(work, request, 'close_down');

/** The request ends unpaid; a job ends its open payments at once. */
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

/** Expires an open dynamic request: by the job at expires_at, or by simulate. */
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
