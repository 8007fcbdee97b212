import { createHash } from 'node:crypto';
import { type EventType, records } from '@tenant-payments/contract/catalog.ts';
import { moneyExamples } from '@tenant-payments/contract/emit/examples/money.ts';
import { peopleExamples } from '@tenant-payments/contract/emit/examples/people.ts';
import type { Resource } from '@tenant-payments/contract/lifecycles.ts';
import { resourceOf, statusFields, stepOfEvent } from '@tenant-payments/contract/steps.ts';
import { setAll } from '../resources/data.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface MadeEvent extends Values {
  readonly id: string;
  readonly type: string;
  readonly data: Values;
}

/** The changes of an event against the example. */
export interface Change {
  readonly record?: Values;
  readonly data?: Values;
  readonly event?: Values;
}

/** Makes events about records of one cast of people. */
export type Tell = (type: EventType, change?: Change) => MadeEvent;

const examples: Readonly<Record<string, Values>> = { ...peopleExamples, ...moneyExamples };

/** `payment_request` is the schema `PaymentRequest`. */
const schemaName = (resource: Resource): string =>
  resource
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
}

/** The fields of a record that may be null, as null. */
export function nulls(resource: Resource): Values {
  const fields = Object.entries(records[resource].properties as Record<string, Schema>);
  const nullable = fields.filter(([, { anyOf }]) => anyOf?.some(({ type }) => type === 'null'));
  return Object.fromEntries(nullable.map(([name]) => [name, null]));
}

const kept = (values: Values, keep: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => keep(name)));

/** The example of the documents, in the state that an event of this type reports. */
function recordOf(type: EventType): Values {
  const resource = resourceOf(type);
  const step = stepOfEvent(type, null);
  const example = examples[schemaName(resource)] ?? {};
  const has = (name: string) => name in example;
  return {
    ...example,
    ...(type.endsWith('.created') ? kept(nulls(resource), (name) => name.endsWith('_at')) : {}),
    ...kept(statusFields(resource, example, step.to), has),
    ...(type.endsWith('.failed') && has('failure_code') ? { failure_code: 'account_closed' } : {}),
    // No token stands in an event (rules/events#6).
    ...(has('token') ? { token: null } : {}),
    ...(typeof example.version === 'number' ? { version: step.version } : {}),
  };
}

function previousOf(type: EventType, record: Values): Values | null {
  const { resource, change, from } = stepOfEvent(type, null);
  if (change === 'begins') return null;
  if (change === 'other') return {};
  return kept(statusFields(resource, record, from), (name) => name in record);
}

const wireId = /\b([a-z]{2,5})_[0-9a-f]{32}\b/g;
/** The time within the ids of the examples, and the version of a uuid. */
const idBegins = '019cb0c45e007';

/** Ids of their own for all that a text names, the same for the same words. */
const withIds = (text: string, words: string): string =>
  text.replaceAll(wireId, (id, prefix) => {
    const digits = createHash('sha256').update(`${words} ${id}`).digest('hex');
    return `${prefix}_${idBegins}${digits.slice(0, 3)}8${digits.slice(3, 18)}`;
  });

/**
 * Events as the documents show them, about records that exist nowhere: each cast has its own.
 * @param seed from which their ids come
 * @param settings `path=value`, of each payment
 */
export function openEvents(seed: string, settings: readonly string[]): () => Tell {
  let casts = 0;
  let events = 0;
  return () => {
    casts += 1;
    const cast = casts;
    return (type, { record, data, event } = {}) => {
      events += 1;
      const own = recordOf(type);
      const id = withIds(String(examples.Event?.id), `${seed} event ${events}`);
      const told = {
        ...examples.Event,
        type,
        data: { object: own, previous_attributes: previousOf(type, own) },
      };
      const { data: shown, ...facts } = JSON.parse(
        withIds(JSON.stringify(told), `${seed} ${cast}`),
      );
      const object = { ...shown.object, ...record };
      const changed = object.object === 'payment' ? setAll(object, settings) : object;
      return { ...facts, id, data: { ...shown, object: changed, ...data }, ...event };
    };
  };
}
