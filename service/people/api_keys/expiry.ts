import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { fail } from '../../core/fail.ts';
import { epochMs, instantOf } from '../../core/time/instant.ts';
import type { Service } from '../../service.ts';

/** When a key shall end (rules/api-keys#3). @throws ApiError parameter_invalid */
export function expiryOf({ clocks }: Pick<Service, 'clocks'>, given: string): string {
  const atMs = epochMs(given);
  const nowMs = clocks.realNow();
  const reason = atMs <= nowMs ? 'past' : 'too_late';
  if (atMs > nowMs && atMs <= nowMs + lifetimes.apiKey * 1_000) return instantOf(atMs);
  throw fail('parameter_invalid', { param: 'expires_at', details: { reason } });
}
