import { Closed, OneOf, Text } from '@tenant-payments/contract/core/schema.ts';
import Type from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The live feed of the portal (rules/operations#60). */

export const streamTypes = ['requests', 'events', 'attempts', 'records'] as const;
export type StreamType = (typeof streamTypes)[number];

/** Feeds that one Tenant has open at a time, in one process. */
export const maximumStreams = 20;
/** The most streams of one person with all keys of theirs, or of one program. */
export const maximumStreamsOfCaller = 5;

/** A message of the `text/event-stream`. */
export const StreamMessage = Closed({
  id: Type.String({ description: 'To go on behind it, as Last-Event-ID' }),
  event: OneOf(streamTypes),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'A row of the list of that name; an attempt also has its `event_id`, its endpoint (`endpoint_id` and `endpoint_name`, null of the first one) and the `delivery` since, a record is its `resource`, `id`, `status` and `record`',
  }),
});

export const openStream = portalEndpoint({
  id: 'openStream',
  method: 'GET',
  path: '/portal/api/stream',
  summary:
    'Follow requests, events, attempts and records as server-sent events (`text/event-stream`)',
  idempotent: 'none',
  may: ['developer', 'support'],
  playsOutside: true,
  of: 'tenant',
  personal: 'data',
  query: Closed({
    types: Text(64, 'One or more of requests, events, attempts, records, with commas between'),
  }),
  success: {
    status: 200,
    schema: StreamMessage,
  },
  errors: ['parameter_missing', 'parameter_invalid', 'invalid_state'],
});
