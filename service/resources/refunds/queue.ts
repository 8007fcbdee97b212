import { command } from '@tenant-payments/engine/command.ts';
import { accounts } from '../accounts/table.ts';
import { recordsAtOnce } from '../records_at_once.ts';
import { failRefund, fundingNow, fundRefund, loadRefund, unpayableReason } from './moves.ts';
import { type RefundRow, refunds } from './table.ts';

/** The refunds of a merchant that wait longest, in their order; as many as one command takes. */
export function firstInLine(open: readonly RefundRow[]): RefundRow[] {
  const since = ({ waiting_since, id }: RefundRow) => `${waiting_since} ${id}`;
  return open
    .filter(({ status }) => status === 'pending_funds')
    .sort((a, b) => (since(a) < since(b) ? -1 : 1))
    .slice(0, recordsAtOnce);
}

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
    const first = await Promise.all(firstInLine(open).map(({ id }) => loadRefund(read, id)));
    return { merchant, open, first };
  },
  decide: (work, { merchant, open, first }, { ref }) => {
    work.cancelJob('refund_queue', ref);
    // Also while it closes; lifting the last reason schedules the job again (rules/refunds#22).
    if (merchant.suspension_reasons !== '') return { value: null };
    for (const rows of first) {
      if (rows.refund.status !== 'pending_funds') continue;
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
    // Others wait behind these; a command earlier in this batch may have made one wait, too.
    const isThrough = first.every(({ refund }) => refund.status !== 'pending_funds');
    if (isThrough && firstInLine(open).length > 0) work.scheduleJob('refund_queue', ref, work.now);
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
