import type { ServerResponse } from 'node:http';
import { openReplies, type Replies } from '@tenant-payments/service/http/replies.ts';
import { stopTimes } from './move/timing.ts';

/** The requests of each Tenant that are under way. */
export function openUnderWay() {
  const byTenant = new Map<string, Replies>();
  return {
    add(tenantId: string, response: ServerResponse): void {
      const replies = byTenant.get(tenantId) ?? openReplies();
      byTenant.set(tenantId, replies);
      replies.add(response);
    },
    /** Cuts what outlasts the first moments of a stop; a short stop may be over before that, and others begin. */
    end(tenantId: string): void {
      const { open = [] } = byTenant.get(tenantId) ?? {};
      const before = [...open];
      const cut = () => {
        const still = new Set(open);
        for (const response of before) if (still.has(response)) response.destroy();
      };
      setTimeout(cut, stopTimes.drain).unref();
    },
  };
}
