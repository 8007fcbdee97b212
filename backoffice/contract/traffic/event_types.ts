import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, IdInput, Nullable } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The event catalog, as the state tables and the schemas of the API have it (rules/events#1). */

const fields = {
  type: Type.String(),
  resource: Type.String({ description: 'What `data.object` is' }),
  when: Type.Array(
    Closed({
      move: Nullable(Type.String({ description: 'Null: other visible fields have changed' })),
      from: Nullable(
        Type.Array(Type.String(), { description: 'Null where the move creates the record' }),
      ),
      to: Nullable(Type.String({ description: 'Null where the status does not change' })),
      by: Type.Array(Type.String(), { description: 'Who may cause it' }),
    }),
  ),
};

export const EventTypeRow = Closed(fields);
export type EventTypeRow = Static<typeof EventTypeRow>;

const anything = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description });

export const EventTypePage = Closed({
  ...fields,
  schema: anything('JSON Schema of the event'),
  example: anything('An event of this type'),
  typescript: Type.String({ description: 'The type of the event' }),
});
export type EventTypePage = Static<typeof EventTypePage>;

const readers = { idempotent: 'none', may: ['developer', 'support'], of: 'tenant' } as const;

export const listEventTypes = portalEndpoint({
  id: 'listEventTypes',
  method: 'GET',
  path: '/portal/api/event-types',
  summary: 'Every event type, and when it is sent',
  ...readers,
  success: { status: 200, schema: List(EventTypeRow) },
  errors: [],
});

export const getEventType = portalEndpoint({
  id: 'getEventType',
  method: 'GET',
  path: '/portal/api/event-types/:type',
  summary: 'Get an event type with its schema, an example and its TypeScript type',
  ...readers,
  params: Closed({ type: IdInput('Event type') }),
  success: { status: 200, schema: EventTypePage },
  errors: ['not_found'],
});
