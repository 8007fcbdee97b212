import {
  Closed,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Faults that a sandbox injects to test a Tenant's code (rules/sandbox#28). */

/** The seed when none is given: the same faults in the same places, every time. */
export const defaultSeed = 1;

const rate = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, default: 0, description });

const fields = {
  duplicate: rate('Share of the events that arrive twice'),
  out_of_order: rate(
    'Share of the events that arrive late, after the next version of their record',
  ),
  fail_first_attempt: rate('Share of the events whose first attempt fails'),
  api_503: rate('Share of the API calls that get a 503 before any effect'),
  seed: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    default: defaultSeed,
    description: 'The same seed with the same calls and events gives the same faults',
  }),
  ends_at: Nullable(
    Instant('Real time from which on nothing is struck and every rate reads 0; null: no end'),
  ),
};

export const Chaos = Closed(fields);
export type Chaos = Static<typeof Chaos>;

export const getChaos = portalEndpoint({
  id: 'getChaos',
  method: 'GET',
  path: '/portal/api/chaos',
  summary: 'Get the fault injection of the sandbox',
  idempotent: 'none',
  may: ['reader', 'support'],
  sandboxOnly: true,
  of: 'tenant',
  success: { status: 200, schema: Chaos },
  errors: ['sandbox_only'],
});

export const putChaos = portalEndpoint({
  id: 'putChaos',
  method: 'PUT',
  path: '/portal/api/chaos',
  summary:
    'Set the whole fault injection: a rate that is not given is 0, and counting starts again',
  idempotent: 'none',
  may: ['developer', 'admin'],
  sandboxOnly: true,
  of: 'tenant',
  body: Type.Partial(Chaos, { additionalProperties: false }),
  success: { status: 200, schema: Chaos },
  errors: ['parameter_invalid', 'sandbox_only'],
});

/** What a sample event is to show. */
export const SampleEvent = Closed({
  type: OneOf(eventTypes, 'Any type of the catalog'),
  object_id: Type.Optional(
    IdInput('The record whose present state the event carries; absent: an example'),
  ),
  object: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Shown in place of that record; a valid record of its kind, with the same id',
    }),
  ),
});

export const createSampleEvent = portalEndpoint({
  id: 'createSampleEvent',
  method: 'POST',
  path: '/portal/api/sample-events',
  summary: 'Send an event of any type to the endpoint, signed and retried like any other',
  idempotent: 'none',
  may: ['developer', 'admin'],
  sandboxOnly: true,
  of: 'tenant',
  body: SampleEvent,
  success: { status: 201, schema: Event },
  errors: ['parameter_missing', 'parameter_invalid', 'sandbox_only', 'not_found'],
});
