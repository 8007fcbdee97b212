import type { EventTypeRow } from '@tenant-payments/backoffice/contract/traffic/event_types.ts';
import type { Actor } from '@tenant-payments/contract/core/lifecycle.ts';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';

type Cause = EventTypeRow['when'][number];

const plain = (name: string): string => name.replaceAll('_', ' ');
const state = (name: string): string => `“${plain(name)}”`;

const whoMoves = {
  tenant: 'your server',
  customer: 'the customer',
  owner: 'the owner',
  bank: 'the bank',
  aggregator: 'the bank-data provider',
  identity: 'the identity check',
  reviewer: 'a reviewer',
  service: 'the service',
} as const satisfies Record<Actor, string>;

const named = (by: readonly string[]): string =>
  by.map((who) => ownValue(whoMoves, who) ?? plain(who)).join(' or ');

function sentenceOf(resource: string, { move, from, to, by }: Cause): string {
  const record = plain(resource);
  if (move === null) return `Other fields of the ${record} have changed.`;
  const who = `Caused by ${named(by)}.`;
  if (from === null) return `The ${record} begins${to === null ? '' : ` as ${state(to)}`}. ${who}`;
  if (to === null) return `The ${record} changes (“${plain(move)}”) and keeps its status. ${who}`;
  const before = from.map(state).join(' or ');
  return `The ${record} becomes ${state(to)}; before it was ${before}. ${who}`;
}

/** When an event is sent, a sentence for each move that sends it. */
export const sentencesOf = ({
  resource,
  when,
}: Pick<EventTypeRow, 'resource' | 'when'>): readonly string[] =>
  // Several moves may differ in their name alone.
  [...new Set(when.map((cause) => sentenceOf(resource, cause)))];
