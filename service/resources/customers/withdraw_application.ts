import { LoadAgain } from '../../core/fail.ts';
import type { Read } from '../../core/load/reader.ts';
import type { Work } from '../../core/work.ts';
import { endSession } from '../sessions/open.ts';
import { sessions } from '../sessions/table.ts';
import { emptyCredentials, loadCredentials } from './credentials/empty.ts';
import type { freedMobile } from './mobile_number.ts';
import type { CustomerRow } from './table.ts';

/** Where the live session of each flow stands. */
const sessionColumns = [
  'onboarding_session_id',
  'pin_reset_session_id',
  'contact_change_session_id',
  'terms_session_id',
] as const satisfies readonly (keyof CustomerRow)[];

/** The rows that end with an application. */
export async function loadApplication(read: Read, customer: CustomerRow) {
  const ids = sessionColumns.map((column) => customer[column]);
  const [credentials, ...live] = await Promise.all([
    loadCredentials(read, customer.id),
    ...ids.map((id) => read.maybe(sessions, id)),
  ]);
  return { customer, credentials, ids, live };
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
  { customer, credentials, ids, live }: Application,
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
  // A command before this one in the batch opened another session, which ends too.
  if (sessionColumns.some((column, index) => customer[column] !== ids[index]))
    throw new LoadAgain('a session was opened meanwhile');
  for (const session of live) endSession(work, session);
  work.cancelJob('customer_check', customer.id);
  emptyCredentials(work, credentials);
}
