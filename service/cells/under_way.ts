import type { ServerResponse } from 'node:http';
import { stopTimes } from './move/timing.ts';

/** The requests of each Tenant that are under way. */
export function openUnderWay() {
  const byTenant = new Map<string, Set<ServerResponse>>();
  return {
    add(tenantId: string, response: ServerResponse): void {
      const open = byTenant.get(tenantId) ?? new Set();
      byTenant.set(tenantId, open.add(response));
      response.once('close', () => open.delete(response));
    },
    /** Cuts what outlasts the first moments of a stop; a short stop may be over before that, and others begin. */
    end(tenantId: string): void {
      const open = byTenant.get(tenantId) ?? new Set();
      const before = [...open];
      const cut = () => {
        for (const response of before) if (open.has(response)) response.destroy();
      };
      setTimeout(cut, stopTimes.drain).unref();
    },
  };
}
