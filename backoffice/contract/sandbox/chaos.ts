import { Closed, IdInput, OneOf } from '@tenant-payments/contract/core/schema.ts';
import { eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { Chaos } from '@tenant-payments/contract/sandbox/chaos.ts';
import Type from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Faults that a sandbox injects to test a Tenant's code (rules/sandbox#28). */

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

/** The request for a sample event. */
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
