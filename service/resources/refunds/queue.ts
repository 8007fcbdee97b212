import { command } from '../../core/command.ts';
import { accounts } from '../accounts/table.ts';
import { failRefund, fundingNow, fundRefund, loadRefund, lost, type RefundRows } from './moves.ts';
import { refunds } from './table.ts';

/** In the order in which they began to wait. */
export const byWaitingTime = (a: RefundRows, b: RefundRows): number => {
  const turn = ({ refund }: RefundRows) => `${refund.waiting_since} ${refund.id}`;
  return turn(a) < turn(b) ? -1 : 1;
};

/** The payment has another dispute than when it was read. */
const isStale = ({ payment, dispute }: RefundRows): boolean =>
  payment.dispute_id !== (dispute?.id ?? null);

/**
 * Job `refund_queue`, at each credit of an account for which refunds wait: serves them, first in
 * first out. A head that does not fit blocks those behind it (decisions 1.1, Refund).
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
    // Now, not when they were read: one that a command before this one made wait is in the queue.
    const queue = open
      .filter(({ refund }) => refund.status === 'pending_funds')
      .sort(byWaitingTime);
    // A suspended merchant's refunds go on waiting; its reactivation brings their turn.
    if (merchant.status === 'suspended') return { value: null };
    for (const rows of queue) {
      const gone = lost(rows);
      const funding = fundingNow(rows);
      if (gone) failRefund(work, rows, 'give_up', gone);
      else if (funding) fundRefund(work, rows, funding);
      else {
        // A dispute that came in this batch may hold what is missing: it is read with the next.
        if (isStale(rows)) work.scheduleJob('refund_queue', ref, work.now);
        // A credit that comes meanwhile has made this job due again, which is not to be taken away.
        work.requireExactBalance(rows.balance);
        break;
      }
    }
    return { value: null };
  },
});

/** Job `refund_wait`: thirty days have brought no money (decisions 1.8, Lifetimes). */
export const refundWaitJob = command('refund_wait', {
  load: (read, { ref }: { ref: string }) => loadRefund(read, ref),
  decide: (work, rows, { ref }) => {
    if (rows.refund.status === 'pending_funds')
      failRefund(work, rows, 'give_up', 'insufficient_funds');
    else work.cancelJob('refund_wait', ref);
    return { value: null };
  },
});
