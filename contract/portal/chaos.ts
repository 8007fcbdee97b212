import Type, { type Static } from 'typebox';
import { Closed, IdInput, OneOf } from '../core/schema.ts';
import { eventTypes } from '../lifecycles.ts';
import { Event } from '../resources/webhook_events.ts';
import { portalEndpoint } from './endpoint.ts';

/** What a sandbox does to try a Tenant's code (contract: Events, last part; surfaces, Portal JSON). */

/** The seed of whoever names none: the same faults in the same places, every time. */
export const defaultSeed = 1;

const rate = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, default: 0, description });

const fields = {
  duplicate: rate('Share of the events that arrive twice'),
  out_of_order: rate(
    'Share of the events that arrive late, behind the next version of their record',
  ),
  fail_first_attempt: rate('Share of the events whose first attempt fails'),
  api_503: rate('Share of the API calls that are answered 503, before any effect'),
  seed: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    default: defaultSeed,
    description: 'The same seed and the same calls and events meet the same faults',
  }),
};

export const Chaos = Closed(fields);
export type Chaos = Static<typeof Chaos>;

export const getChaos = portalEndpoint({
  id: 'getChaos',
  method: 'GET',
  path: '/portal/api/chaos',
  summary: 'The chaos of the sandbox',
  idempotent: 'none',
  role: 'reader',
  success: { status: 200, schema: Chaos },
  errors: ['sandbox_only'],
});

export const putChaos = portalEndpoint({
  id: 'putChaos',
  method: 'PUT',
  path: '/portal/api/chaos',
  summary: 'Set the whole chaos: a rate that is not given is 0, and counting begins anew',
  idempotent: 'none',
  role: 'developer',
  body: Type.Partial(Chaos, { additionalProperties: false }),
  success: { status: 200, schema: Chaos },
  errors: ['parameter_invalid', 'sandbox_only'],
});

export const createSampleEvent = portalEndpoint({
  id: 'createSampleEvent',
  method: 'POST',
  path: '/portal/api/sample-events',
  summary: 'Send an event of any type to the endpoint, signed and retried like any other',
  idempotent: 'none',
  role: 'developer',
  body: Closed({
    type: OneOf(eventTypes, 'Any type of the catalog'),
    object_id: Type.Optional(IdInput('A record to tell of, as it is now; absent: an example')),
  }),
  success: { status: 201, schema: Event },
  errors: ['parameter_invalid', 'sandbox_only', 'not_found'],
});
