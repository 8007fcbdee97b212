import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { atMost, epochMs, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { longestKey } from '../../contract/people/api_keys.ts';

/** When a key shall end (rules/api-keys#3). @throws ApiError parameter_invalid */
export function expiryOf(
  { clocks }: Pick<Service, 'clocks'>,
  given: string,
  roles: readonly Role[],
): string {
  const atMs = epochMs(given);
  const nowMs = clocks.realNow();
  const expiryMs = atMost(atMs, nowMs + longestKey(roles) * 1_000);
  const reason = expiryMs === null ? 'too_late' : 'past';
  if (expiryMs !== null && expiryMs > nowMs) return instantOf(expiryMs);
  throw fail('parameter_invalid', { param: 'expires_at', details: { reason } });
}
