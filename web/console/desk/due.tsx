import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../staff/api/call.ts';
import { isSandbox } from '../../staff/api/environment.ts';
import { lengthOf } from '../../staff/parts/tell.ts';
import { When } from '../../staff/parts/when.tsx';

const everyMs = 15_000;

/** Shows its component anew from time to time, so that lengths of time stay true. */
export function useTick(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, []);
}

/** The time of a Tenant, or the real one; in production both are that of this machine. */
function useNow(tenantId: string, isReal: boolean): number {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['GET /portal/api/clock', {}, tenantId],
    queryFn: ({ signal }) => call('GET /portal/api/clock', {}, { signal, tenantId }),
    enabled: isSandbox,
    staleTime: everyMs,
    refetchInterval: everyMs,
  });
  if (!data) return Date.now();
  return Date.parse(isReal ? data.real_now : data.now) + Date.now() - dataUpdatedAt;
}

interface DueProps {
  readonly at: string | null;
  readonly tenantId: string;
  /** As the service says; absent: by the clock. */
  readonly late?: boolean;
  /** Its time is real, not that of the Tenant's clock. */
  readonly isReal: boolean;
}

/** By when somebody must act: how long that is, and the instant. */
export function Due({ at, tenantId, late, isReal }: DueProps) {
  const now = useNow(tenantId, isReal);
  if (at === null)
    return (
      <Text component="span" inherit c="dimmed">
        no deadline
      </Text>
    );
  const left = Date.parse(at) - now;
  const isLate = late ?? left < 0;
  const inTime = left < 0 ? 'now' : `in ${lengthOf(left)}`;
  return (
    <>
      <span className={isLate ? 'is-late' : 'figures'}>
        {isLate ? (left < 0 ? `late by ${lengthOf(left)}` : 'late') : inTime}
      </span>
      {', '}
      <Text component="span" inherit c="dimmed">
        <When at={at} />
      </Text>
    </>
  );
}
