import { command } from '@tenant-payments/engine/command.ts';
import { paymentRequests } from '../payment_requests/table.ts';
import { endPayment, loadOpenPayment } from './moves.ts';
import { payments } from './table.ts';

/**
 * Job `payment_request_ended`, at once: ends the open payments of a request. If the request was
 * paid they fail, if it was canceled they are canceled (rules/payment-requests#15).
 */
export const requestEndedJob = command('payment_request_ended', {
  load: async (read, { ref }: { ref: string }) => {
    const [request, open] = await Promise.all([
      read.one(paymentRequests, ref),
      read.set(payments, 'payment_request_id', ref),
    ]);
    return { request, open: await Promise.all(open.map(({ id }) => loadOpenPayment(read, id))) };
  },
  decide: (work, { request, open }) => {
    for (const rows of open) {
      if (rows.payment.status !== 'requires_confirmation') continue;
      if (request.status === 'paid') endPayment(work, rows, 'refuse', 'payment_request_paid');
      else if (request.status === 'canceled') endPayment(work, rows, 'withdraw', null);
    }
    work.cancelJob('payment_request_ended', request.id);
    return { value: null };
  },
});
