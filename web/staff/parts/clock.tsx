import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { call } from '../api/call.ts';
import { isSandbox } from '../api/environment.ts';
import { useTenant } from '../api/queries.ts';

const everyMs = 15_000;

/**
 * Milliseconds by which the Tenant's clock is ahead of this machine's; null: not known, or a page
 * of many Tenants.
 */
const AheadContext = createContext<number | null>(isSandbox ? null : 0);

/** One timer for all that is shown, so that lengths of time stay true while a page is open. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
const tell = () => {
  for (const listener of listeners) listener();
};
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tell, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
const beat = (): number => Math.floor(Date.now() / everyMs);

/** How far a Tenant's clock is ahead, or that of the service; in production neither is. */
function useAhead(tenantId: string | null, isReal: boolean): number | null {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['GET /portal/api/clock', {}, ...(tenantId === null ? [] : [tenantId])],
    queryFn: ({ signal }) => call('GET /portal/api/clock', {}, { signal, tenantId }),
    enabled: isSandbox,
    staleTime: everyMs,
  });
  if (!isSandbox) return 0;
  if (!data) return null;
  return Date.parse(isReal ? data.real_now : data.now) - dataUpdatedAt;
}

/** The time of a Tenant, or the real one. */
export function useNow(tenantId: string, isReal: boolean): number {
  useSyncExternalStore(subscribe, beat);
  return Date.now() + (useAhead(tenantId, isReal) ?? 0);
}

/** Lets its children tell times by the clock of the Tenant that the page is about. */
export function TenantClock({ children }: { readonly children: ReactNode }) {
  const ahead = useAhead(useTenant(), false);
  return <AheadContext.Provider value={ahead}>{children}</AheadContext.Provider>;
}

/** The time by which this part of the page tells others. `isSure`: it is that of the Tenant's clock. */
export function useClock(isReal: boolean): { readonly now: number; readonly isSure: boolean } {
  useSyncExternalStore(subscribe, beat);
  const ahead = useContext(AheadContext);
  return { now: Date.now() + (isReal ? 0 : (ahead ?? 0)), isSure: isReal || ahead !== null };
}
