import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import { Failed, type InputOf, type ReplyOf } from '../api/call.ts';
import { useCall, useKey } from '../api/queries.ts';
import { holds, useSession } from '../api/session.tsx';
import { useProven } from '../api/step_up.tsx';

export type Settings = ReplyOf<'GET /portal/api/settings'>;
export type Changes = InputOf<'PUT /portal/api/settings'>;

const route = 'GET /portal/api/settings';

/** The properties of every part of the page. */
export interface PartProps {
  readonly settings: Settings;
}

/** Replaces settings as a whole, key by key. */
export function useSave() {
  const queries = useQueryClient();
  const proven = useProven();
  const call = useCall();
  const keyOf = useKey();
  const mayChange = holds(useSession(), ['owner', 'developer', 'admin']);
  const save = useMutation({
    mutationFn: (changes: Changes) => proven(() => call('PUT /portal/api/settings', changes)),
    onSuccess: (settings) => {
      queries.setQueryData(keyOf<typeof route>(route, {}), settings);
      void queries.invalidateQueries({ queryKey: ['GET /portal/api/consumer-terms'] });
      return queries.invalidateQueries({ queryKey: ['GET /portal/api/settings/history'] });
    },
  });
  return { save, mayChange };
}

/** The words for a refused value, by the service's reason. */
const reasons = {
  malformed: 'This is not an address.',
  format: 'This is not an address.',
  scheme: 'An address of this kind is not allowed.',
  credentials: 'An address holds no user name or password.',
  fragment: 'Leave the part after # away: the result is put there.',
  not_an_origin: 'Only scheme and host: no path, no slash at the end.',
  unreadable: 'This color is too light to be read on white.',
  two_rules: 'There are two fees for the same payments.',
  payer_under_bank: 'A payer by bank cannot pay a fee: let the payee pay it.',
  agreement_missing: 'Name the letter or agreement by which the bank permits it.',
  too_long: 'This is too long.',
  nothing_visible: 'Use at least one letter or digit.',
  bidirectional_control: 'This has a hidden character that reverses the order of its letters.',
} as const;

/** A fault that the service found in a setting. */
export interface Fault {
  /** The setting, or a field of it: `branding.logo_url`. */
  readonly param: string;
  /** The place in a list at which the fault is; null: the setting is no list. */
  readonly index: number | null;
  readonly text: string;
}

/** @returns null: it failed for another reason than a value */
export function faultOf(error: Error | null): Fault | null {
  if (!(error instanceof Failed) || error.failure.kind !== 'refused') return null;
  const { failure, details, text } = error;
  if (failure.code !== 'parameter_invalid' || failure.param === null) return null;
  const [, param = failure.param, entry] = /^([a-z_]+)\.(\d+)/.exec(failure.param) ?? [];
  const index = typeof details.index === 'number' ? details.index : entry && Number(entry);
  const why = ownValue(reasons, failure.reason ?? '') ?? text;
  const expected = typeof details.expected === 'string' ? ` Expected: ${details.expected}.` : '';
  return { param, index: typeof index === 'number' ? index : null, text: `${why}${expected}` };
}
