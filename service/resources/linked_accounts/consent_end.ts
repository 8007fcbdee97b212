import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { LinkedAccountRow } from './table.ts';

export const daySeconds = 86_400;

/** A dispute may come so long after an account has closed, and its credit goes to the bank (rules/disputes#31). */
const disputeDays = 120;

const lost = ['failed', 'removed'];

/** The link has ended, whatever became of its account. */
export const isLost = ({ status }: Pick<LinkedAccountRow, 'status'>): boolean =>
  lost.includes(status);

/**
 * Has the consent withdrawn and the numbers erased once nothing can be paid to a link any more that has just ended, or
 * whose account has closed (rules/linking#29).
 */
export function scheduleConsentEnd(work: Work, link: LinkedAccountRow): void {
  const { refund_window_days } = work.tenant.settings;
  // Nothing was ever moved by a link that was not verified.
  const days = link.verified_at === null ? 0 : Math.max(refund_window_days, disputeDays);
  work.scheduleJob('link_consent', link.id, addSeconds(work.now, days * daySeconds));
}
