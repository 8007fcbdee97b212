import { command } from '@tenant-payments/engine/command.ts';
import { accounts } from '../accounts/table.ts';
import {
  failRefund,
  fundingNow,
  fundRefund,
  loadRefund,
  type RefundRows,
  unpayableReason,
} from './moves.ts';
import { refunds } from './table.ts';

/** Sorts by the time at which they began to wait. */
export const byWaitingTime = (a: RefundRows, b: RefundRows): number => {
  const since = ({ refund }: RefundRows) => `${refund.waiting_since} ${refund.id}`;
  return since(a) < since(b) ? -1 : 1;
};

/**
 * Job `refund_queue`, at each credit of an account with waiting refunds: pays them first in, first
 * out. One that is not funded blocks those behind it (rules/refunds#20).
 */
export const refundQueueJob = command('refund_queue', {
  load: async (read, { ref }: { ref: string }) => {
    const [merchant, open] = await Promise.all([
      read.one(accounts, ref),
      read.set(refunds, 'merchant_account_id', ref),
    ]);
    return { merchant, open: await Promise.all(open.map(({ id }) => loadRefund(read, id))) };
  },
  decide: (work, { merchant, open }, { ref }) => {
    work.cancelJob('refund_queue', ref);
    // By the status now: a command earlier in this batch may have made one wait.
    const queue = open
      .filter(({ refund }) => refund.status === 'pending_funds')
      .sort(byWaitingTime);
    // Also while it closes; lifting the last reason schedules the job again (rules/refunds#22).
    if (merchant.suspension_reasons !== '') return { value: null };
    for (const rows of queue) {
      const failure = unpayableReason(rows);
      const funding = fundingNow(rows);
      if (failure) failRefund(work, rows, 'give_up', failure);
      else if (funding) fundRefund(work, rows, funding);
      else {
        // A credit meanwhile scheduled this job again: decide again, do not cancel that.
        work.requireExactBalance(rows.balance);
        break;
      }
    }
    return { value: null };
  },
});

/** Job `refund_wait`: fails a refund that waited 30 days for funds (rules/refunds#23). */
export const refundWaitJob = command('refund_wait', {
  load: (read, { ref }: { ref: string }) => loadRefund(read, ref),
  decide: (work, rows, { ref }) => {
    if (rows.refund.status === 'pending_funds')
      failRefund(work, rows, 'give_up', 'insufficient_funds');
    else work.cancelJob('refund_wait', ref);
    return { value: null };
  },
});
