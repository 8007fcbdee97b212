import type { Work } from '@tenant-payments/engine/work.ts';
import type { AccountRow } from './table.ts';

/**
 * Schedules what may wait for a change of an account, at once: the payment of refunds that wait for
 * funds (rules/refunds#19) and the next step of closing (rules/closing#6). Every command that
 * credits the account, or ends something that was open on it, calls this.
 * @param account a row that the command checks or changes, so that neither job is missed
 */
export function scheduleRefundsAndClosing(work: Work, account: AccountRow): void {
  if (account.waiting_claims > 0) work.scheduleJob('refund_queue', account.id, work.now);
  if (account.status === 'closing') work.scheduleJob('account_closing', account.id, work.now);
}
