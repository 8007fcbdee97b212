import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Chaos } from '@tenant-payments/contract/sandbox/chaos.ts';
import { call, type InputOf } from '../../staff/api/call.ts';

export type Rates = InputOf<'PUT /portal/api/chaos'>;

/**
 * The faults that can strike: the setting's name, its label, and the words for a fault that is on.
 */
export const faults = [
  ['duplicate', 'Events that arrive twice', 'of the events arrive twice'],
  ['out_of_order', 'Events that arrive late', 'of the events arrive late'],
  ['fail_first_attempt', 'First attempts that fail', 'of the first attempts fail'],
  ['api_503', 'Calls that get a 503', 'of the calls get a 503'],
] as const satisfies readonly (readonly [keyof Chaos, string, string])[];

export const percentOf = (rate: number | undefined): number => Math.round((rate ?? 0) * 100);

/** The faults that are on, in words; empty: none. */
export const onIn = (chaos: Chaos): string[] =>
  faults
    .filter(([name]) => chaos[name] > 0)
    .map(([name, , told]) => `${percentOf(chaos[name])} % ${told}`);

/** Sets all faults at once; one that is not given is off. */
export function useSetChaos() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: Rates) => call('PUT /portal/api/chaos', given),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['GET /portal/api/chaos'] }),
  });
}
