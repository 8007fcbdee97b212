import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { call, type InputOf, type ReplyOf, type Route } from './call.ts';
import { useProvenHere } from './step_up.tsx';

/** The Tenant at whose records staff look; null: the session's own Tenant, or the platform. */
const TenantContext = createContext<string | null>(null);
export const TenantProvider = TenantContext.Provider;
export const useTenant = (): string | null => useContext(TenantContext);

/** Part of every key, so that no page of one Tenant shows what was read of another. */
const keyOf = <R extends Route>(route: R, input: InputOf<R>, tenantId: string | null) =>
  tenantId === null ? ([route, input] as const) : ([route, input, tenantId] as const);

/** Calls an operation for the Tenant that the page is about. */
export function useCall() {
  const tenantId = useTenant();
  const provenHere = useProvenHere();
  return <R extends Route>(route: R, input: InputOf<R>) =>
    provenHere(() => call(route, input, { tenantId }));
}

/** The key under which a reply is held, for the Tenant that the page is about. */
export function useKey() {
  const tenantId = useTenant();
  return <R extends Route>(route: R, input: InputOf<R>) => keyOf(route, input, tenantId);
}

/** Operations that answer a list, page by page. */
export type ListRoute = {
  [R in Route]: ReplyOf<R> extends { data: unknown[]; next_cursor: string | null } ? R : never;
}[Route];
export type ItemOf<R extends ListRoute> =
  ReplyOf<R> extends { data: (infer Item)[] } ? Item : never;

interface List<Item> {
  readonly data: Item[];
  readonly next_cursor: string | null;
}

export type Pages<Item> = UseInfiniteQueryResult<InfiniteData<List<Item>>, Error>;

const pageSize = 100;
const fewPages = 5;

/**
 * A list that goes on where its last page ended (keyset), newest first.
 * @param isLive it takes new rows by itself: read as a whole again it would move under the reader
 * @param everyMs reads it again so often, while the page is seen
 */
export function usePages<R extends ListRoute>(
  route: R,
  filters: InputOf<R>,
  isLive = false,
  everyMs?: number,
): Pages<ItemOf<R>> {
  const tenantId = useTenant();
  return useInfiniteQuery({
    queryKey: keyOf(route, filters, tenantId),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const paged = { ...filters, limit: pageSize, cursor: pageParam } as InputOf<R>;
      return (await call(route, paged, { signal, tenantId })) as List<ItemOf<R>>;
    },
    // All pages would be read again, one after the other, so a long list is left as it is.
    refetchOnWindowFocus: ({ state }) => !isLive && (state.data?.pages.length ?? 0) <= fewPages,
    refetchOnReconnect: !isLive,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

/** Reads one reply. @param everyMs reads it again so often, while the page is seen */
export function useRead<R extends Route>(route: R, input: InputOf<R>, everyMs?: number) {
  const tenantId = useTenant();
  return useQuery({
    queryKey: keyOf(route, input, tenantId),
    queryFn: ({ signal }) => call(route, input, { signal, tenantId }),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}
