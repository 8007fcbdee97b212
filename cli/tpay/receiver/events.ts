import { createHash } from 'node:crypto';
import { type EventType, records } from '@tenant-payments/contract/catalog.ts';
import { courses, shownExamples } from '@tenant-payments/contract/emit/examples/records.ts';
import { storyExample } from '@tenant-payments/contract/emit/examples/story.ts';
import { exampleAt, previousIn } from '@tenant-payments/contract/examples/event_example.ts';
import type { Resource } from '@tenant-payments/contract/lifecycles.ts';
import { stepOfEvent } from '@tenant-payments/contract/steps.ts';
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

/** The record of the documents' story that an event of this type reports, and the values before. */
function dataOf(type: EventType): Values {
  const step = stepOfEvent(type, null);
  const { resource, change, version } = step;
  const [created, changed] = courses[resource];
  const course = [created, change === 'begins' ? created : changed, version] as const;
  const shown = exampleAt(storyExample(course), step);
  return { object: shown.object, previous_attributes: previousIn(step, shown) };
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
      const id = withIds(shownExamples.Event.id, `${seed} event ${events}`);
      const told = { ...shownExamples.Event, type, data: dataOf(type) };
      const { data: shown, ...facts } = JSON.parse(
        withIds(JSON.stringify(told), `${seed} ${cast}`),
      );
      const object = { ...shown.object, ...record };
      const changed = object.object === 'payment' ? setAll(object, settings) : object;
      return { ...facts, id, data: { ...shown, object: changed, ...data }, ...event };
    };
  };
}
