import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds, earlier, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { CustomerRow } from '../table.ts';
import type { DocumentRow } from './table.ts';

/** How long a version can wait before payments are refused (rules/documents#8). */
export const termsWaitSeconds = lifetimes.termsPending;

/** When the oldest pending version will have waited too long; null: none is pending. */
export function termsDueAt(all: readonly DocumentRow[]): Instant | null {
  const since = all
    .filter(({ status }) => status === 'pending_acceptance')
    .map(({ created_at }) => created_at);
  const [first, ...more] = since;
  return first === undefined ? null : addSeconds(more.reduce(earlier, first), termsWaitSeconds);
}

/**
 * No document waits for this customer's acceptance since 30 days or more.
 * @throws ApiError account_restricted {reason: terms_pending}
 */
export function assertTermsAccepted(
  { terms_due_at }: Pick<CustomerRow, 'terms_due_at'>,
  now: Instant,
): void {
  if (terms_due_at !== null && terms_due_at <= now)
    throw fail('account_restricted', { details: { reason: 'terms_pending' } });
}
