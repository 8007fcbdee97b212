import { Closed, Id, Instant, Nullable } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The last 24 hours of a Tenant at a glance (rules/operations#59). */

const Count = Type.Integer({ minimum: 0 });

const RequestHour = Closed({
  hour: Instant('Its beginning, in real time'),
  ok: Count,
  refused: Type.Integer({ description: 'Replies of 4xx' }),
  failed: Type.Integer({ description: 'Replies of 5xx' }),
  p50_ms: Nullable(Type.Integer({ description: 'Half were answered within this' })),
  p95_ms: Nullable(Type.Integer({ description: '19 of 20 were answered within this' })),
});

const DeliveryHour = Closed({
  hour: Instant("Its beginning, on the Tenant's clock"),
  delivered: Type.Integer({ description: 'Attempts that an endpoint accepted' }),
  failed: Type.Integer({ description: 'Attempts that it did not' }),
});

const EndpointDay = Closed({
  endpoint_id: Nullable(Id('A further endpoint; null: the first one')),
  endpoint_name: Nullable(Type.String({ description: 'What the Tenant calls it' })),
  delivered: Count,
  failed: Count,
});

const Step = Closed({
  done: Type.Boolean(),
  at: Nullable(Instant('When it was done, where that is still known')),
});

export const Overview = Closed({
  requests: Type.Array(RequestHour, { description: '24 hours, the oldest first' }),
  deliveries: Type.Array(DeliveryHour, {
    description: '24 hours of all endpoints, the oldest first',
  }),
  delivered_to: Type.Array(EndpointDay, {
    description: 'The same attempts by endpoint, of those that had any; the first one first',
  }),
  clock: Closed({
    now: Instant("The Tenant's clock"),
    real_now: Instant('Real time'),
  }),
  endpoint: Closed({
    url: Nullable(Type.String()),
    enabled: Type.Boolean(),
    last_success_at: Nullable(Instant('Of the attempts to events of the last four days')),
    failure_streak: Type.Integer({ description: 'Attempts since then, none of them accepted' }),
  }),
  checklist: Closed({
    token_fetched: Step,
    endpoint_set: Step,
    first_event_delivered: Step,
    first_payment_completed: Step,
    clock_moved: Step,
    went_live: Step,
  }),
  refusals: Type.Array(
    Closed({
      code: Type.String(),
      what_to_do: Type.String({ description: 'As the table of errors says' }),
      count: Count,
      last_at: Instant('In real time'),
      request_id: Id('The newest request that was refused so'),
    }),
    { description: 'Of 24 hours by code, the newest first; at most ten' },
  ),
});
export type Overview = Static<typeof Overview>;

export const getOverview = portalEndpoint({
  id: 'getOverview',
  method: 'GET',
  path: '/portal/api/overview',
  summary: 'The last 24 hours of requests and deliveries, and what is set up',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  success: { status: 200, schema: Overview },
  errors: [],
});
