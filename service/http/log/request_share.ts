/** What is kept of one tenant's requests: all up to a burst, and then so many a second. */
const perSecond = 50;
const burst = 500;
const maximumTenants = 10_000;

interface Share {
  left: number;
  atMs: number;
}

/**
 * The room that each tenant has in the request log, refilled as time goes by.
 * @returns whether a request of this tenant has room at this moment of real time
 */
export function openShares(): (tenantId: string, nowMs: number) => boolean {
  const shares = new Map<string, Share>();
  return (tenantId, nowMs) => {
    let share = shares.get(tenantId);
    if (!share) {
      // Crude, but bounded: everybody begins anew.
      if (shares.size >= maximumTenants) shares.clear();
      share = { left: burst, atMs: nowMs };
      shares.set(tenantId, share);
    }
    const refilled = (Math.max(nowMs - share.atMs, 0) / 1_000) * perSecond;
    share.left = Math.min(share.left + refilled, burst);
    share.atMs = nowMs;
    if (share.left < 1) return false;
    share.left -= 1;
    return true;
  };
}
