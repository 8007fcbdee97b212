import { command } from '../../core/command.ts';
import { paymentRequests } from '../payment_requests/table.ts';
import { endPayment, loadOpenPayment } from './moves.ts';
import { payments } from './table.ts';

/**
 * Due at once when a request is paid or canceled: its other open payments end. A payment found paid
 * by another fails, one whose request was canceled is canceled (decisions 1.1, Payment).
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
