import type { Work } from '../../core/work.ts';
import type { AccountRow } from './table.ts';

/**
 * Money has come to an account, or something of it has ended. Refunds that wait for the money are
 * served within a second, in the order in which they began to wait (decisions 1.1, Refund, Queue);
 * a closing account takes its next step (1.9). The account is judged or changed with what happened,
 * so nothing is missed.
 */
export function scheduleRefundQueue(work: Work, account: AccountRow): void {
  if (account.waiting_claims > 0) work.scheduleJob('refund_queue', account.id, work.now);
  if (account.status === 'closing') work.scheduleJob(closingJobName, account.id, work.now);
}

/** Job of a closing account: closes it, or finds what it still waits for. */
export const closingJobName = 'account_closing';
