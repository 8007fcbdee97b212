import { command } from '@tenant-payments/engine/command.ts';
import { paymentRequests } from '../payment_requests/table.ts';
import { recordsAtOnce } from '../records_at_once.ts';
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
    const some = open.slice(0, recordsAtOnce);
    return { request, open: await Promise.all(some.map(({ id }) => loadOpenPayment(read, id))) };
  },
  decide: (work, { request, open }) => {
    for (const rows of open) {
      if (rows.payment.status !== 'requires_confirmation') continue;
      if (request.status === 'paid') endPayment(work, rows, 'refuse', 'payment_request_paid');
      else if (request.status === 'canceled') endPayment(work, rows, 'withdraw', null);
    }
    if (open.length < recordsAtOnce) work.cancelJob('payment_request_ended', request.id);
    else work.scheduleJob('payment_request_ended', request.id, work.now);
    return { value: null };
  },
});
