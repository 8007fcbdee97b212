import { longestKey } from '@tenant-payments/contract/core/key_lives.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { atMost, epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';

/** When a key shall end (rules/api-keys#3). @throws ApiError parameter_invalid */
export function expiryOf(now: Instant, given: string, roles: readonly Role[]): string {
  const atMs = epochMs(given);
  const nowMs = epochMs(now);
  const expiryMs = atMost(atMs, nowMs + longestKey(roles) * 1_000);
  const reason = expiryMs === null ? 'too_late' : 'past';
  if (expiryMs !== null && expiryMs > nowMs) return instantOf(expiryMs);
  throw fail('parameter_invalid', { param: 'expires_at', details: { reason } });
}
