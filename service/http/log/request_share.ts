import { atMost } from '@tenant-payments/engine/at_most.ts';
import { LRUCache } from 'lru-cache';

/** Requests of one tenant that are kept: a burst, then this many a second (rules/operations#20). */
const perSecond = 50;
const burst = 500;
const maximumTenants = 10_000;

interface Share {
  left: number;
  atMs: number;
}

/**
 * The room that each tenant has in the request log: a token bucket, which no window of
 * rate-limiter-flexible is.
 * @returns whether a request of this tenant has room at this instant of real time
 */
export function openShares(): (tenantId: string, nowMs: number) => boolean {
  const shares = new LRUCache<string, Share>(atMost(maximumTenants));
  return (tenantId, nowMs) => {
    const { left, atMs } = shares.get(tenantId) ?? { left: burst, atMs: nowMs };
    const refilled = Math.min(left + (Math.max(nowMs - atMs, 0) / 1_000) * perSecond, burst);
    const hasRoom = refilled >= 1;
    shares.set(tenantId, { left: hasRoom ? refilled - 1 : refilled, atMs: nowMs });
    return hasRoom;
  };
}
