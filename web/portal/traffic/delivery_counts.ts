import { useThrottledCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useRead } from '../../staff/api/queries.ts';
import type { Values } from '../../staff/parts/filter_fields.ts';

export const countsRoute = 'GET /portal/api/deliveries/counts';
const everyMs = 15_000;
/** Milliseconds that are waited, so that many attempts at once ask for the counts once. */
const atOnceMs = 1_000;

/** How many events of a list are in each state, whichever it shows. */
export function useDeliveryCounts({ delivery_status: _, ...values }: Values) {
  return useRead(countsRoute, values, everyMs);
}

/** Asks for the counts again, since rows have changed. */
export function useCountAgain(): () => void {
  const queries = useQueryClient();
  return useThrottledCallback(
    () => void queries.invalidateQueries({ queryKey: [countsRoute] }),
    atOnceMs,
  );
}
