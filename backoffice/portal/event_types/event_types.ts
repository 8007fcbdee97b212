import { records } from '@tenant-payments/contract/catalog.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { exampleOf } from '@tenant-payments/contract/examples/event_example.ts';
import { type EventType, eventTypes, moveRows } from '@tenant-payments/contract/lifecycles.ts';
import { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { resourceOf, stepOfEvent } from '@tenant-payments/contract/steps.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { previousAttributes } from '@tenant-payments/engine/write/event.ts';
import type { EventTypePage, EventTypeRow } from '../../contract/traffic/event_types.ts';
import { typescriptOf } from './typescript.ts';

function rowOf(type: EventType): EventTypeRow {
  const when = moveRows.flatMap(({ name, move }) =>
    move.event === type
      ? {
          move: name,
          from: move.from === 'new' ? null : [...move.from],
          to: move.to === 'same' ? null : move.to,
          by: [move.by].flat(),
        }
      : [],
  );
  const otherwise = { move: null, from: null, to: null, by: [] };
  return { type, resource: resourceOf(type), when: when.length > 0 ? when : [otherwise] };
}

const rows = eventTypes.map(rowOf);

/** GET /portal/api/event-types */
export const listEventTypes = async (): Promise<Page<EventTypeRow>> => wholeList(rows);

/** The schema of an event with the schema of its record, and the one type that it is of. */
const schemaOf = (type: EventType) => ({
  ...Event,
  title: type,
  properties: {
    ...Event.properties,
    type: { const: type, type: 'string' },
    data: {
      ...Event.properties.data,
      properties: {
        ...Event.properties.data.properties,
        object: records[resourceOf(type)],
      },
    },
  },
});

/** Made up: no QR code of an example can be paid. */
const noSigner = { write: () => 'tps1.example.example' };
const now = '2026-03-02T15:00:00.000Z';
const uuidAt = (count: number) => `019cb0c4-5e00-7000-8000-${count.toString(16).padStart(12, '0')}`;

function eventExample(type: EventType) {
  let made = 0;
  const newId = () => {
    made += 1;
    return uuidAt(made);
  };
  const { object, earlier } = exampleOf({ newId, now }, stepOfEvent(type, null), noSigner);
  return {
    id: publicId('event', uuidAt(0)),
    object: 'event',
    type,
    api_version: 'v1',
    environment: 'sandbox',
    created_at: now,
    data: {
      object,
      previous_attributes: earlier && JSON.parse(previousAttributes(earlier, object)),
    },
  };
}

const isType = (text: string): text is EventType =>
  (eventTypes as readonly string[]).includes(text);

/** GET /portal/api/event-types/{type} (rules/portal-traffic#5). @throws ApiError not_found */
export async function getEventType(_: unknown, { type }: { type: string }): Promise<EventTypePage> {
  if (!isType(type)) throw fail('not_found');
  const schema = schemaOf(type);
  return {
    ...rowOf(type),
    schema: { ...schema },
    example: eventExample(type),
    typescript: typescriptOf(type, schema as object),
  };
}
