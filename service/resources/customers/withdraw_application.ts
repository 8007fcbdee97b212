import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { emptyCredentials, loadCredentials } from './credentials/empty.ts';
import { endLiveSessions, loadLiveSessions } from './live_sessions.ts';
import type { freedMobile } from './mobile_number.ts';
import type { CustomerRow } from './table.ts';

/** The rows that end with an application. */
export async function loadApplication(read: Read, customer: CustomerRow) {
  const [credentials, sessions] = await Promise.all([
    loadCredentials(read, customer.id),
    loadLiveSessions(read, customer),
  ]);
  return { customer, credentials, sessions };
}
export type Application = Awaited<ReturnType<typeof loadApplication>>;

/**
 * Withdraws an application that was never approved: rejected for good, its sessions end, its number
 * is free (rules/closing#2). Withdrawn already: nothing changes.
 * @param freed by `freedMobile`
 * @throws ApiError invalid_state when it is in review
 */
export function withdrawApplication(
  work: Work,
  { customer, credentials, sessions }: Application,
  reason: NonNullable<CustomerRow['withdrawn_reason']>,
  freed: ReturnType<typeof freedMobile>,
): void {
  if (customer.withdrawn_reason !== null) return;
  work.move(customer, 'withdraw', {
    set: {
      ...freed,
      withdrawn_reason: reason,
      retry_available_at: null,
      more_requested: false,
      verification_updated_at: work.now,
    },
  });
  endLiveSessions(work, customer, sessions);
  work.cancelJob('customer_check', customer.id);
  emptyCredentials(work, credentials);
}
