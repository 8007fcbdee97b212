import { Cents } from '@tenant-payments/contract/core/money.ts';
import { Closed, Day, Id, Instant, Nullable } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** A Tenant at a glance: its last 24 hours, and its money of 30 days (rules/operations#59). */

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

const MoneyDay = Closed({
  day: Day('A day of Eastern Time'),
  payments: Cents,
  loads: Cents,
  withdrawals: Cents,
  refunds: Cents,
});

const Step = Closed({
  done: Type.Boolean(),
  at: Nullable(Instant('When it was done, where that is still known')),
});

export const Overview = Closed({
  money: Closed({
    days: Type.Array(MoneyDay, {
      maxItems: 30,
      description:
        "Up to 30 days until today on the Tenant's clock, the oldest first: of days that were reported as the report says, of newer ones as the ledger does",
    }),
    held: Nullable(Cents),
  }),
  payments: Closed(
    {
      completed: Type.Integer({ description: 'Those that were refunded later too' }),
      failed: Count,
      is_all: Type.Boolean({ description: 'False: the newest 10,000 alone' }),
    },
    "How the payments of the last seven days on the Tenant's clock have ended",
  ),
  p95_ms: Nullable(
    Type.Integer({ description: '19 of 20 requests of the 24 hours were answered within this' }),
  ),
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
