import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Day,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { asFile, inOrder } from '../records/list_filters.ts';

/** The Tenants of the platform with the figures of their last day (rules/tenants#1). */

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const LastDay = Closed(
  {
    payments: Count("Payments completed, on the Tenant's clock"),
    volume: Count('Their amounts, in cents'),
    requests: Count('Requests to the API, in real time'),
    refused: Count('Of them, replies of 4xx'),
    failed: Count('Of them, replies of 5xx'),
  },
  'The last 24 hours',
);

const Notices = Closed(
  {
    total: Count('Notices that the Tenant forwarded, of whatever type'),
    purchase_disputes: Count('Of them, forwarded as a purchase dispute'),
    reclassified: Count('Of them, handled as another kind by a reviewer'),
    reasserted: Count('Of them, answered before'),
  },
  "Disputes of the last 90 days, on the Tenant's clock: a Tenant whose share of purchase disputes is high may forward others under that type",
);

const EndpointHealth = Closed({
  host: Nullable(Type.String({ description: 'Where its events go; null: nowhere' })),
  enabled: Type.Boolean(),
  last_success_at: Nullable(Instant('Of the attempts to events of the last four days')),
  failure_streak: Count('Attempts since then, none of them accepted'),
});

export const TenantFigures = Closed({
  id: Id('Identifier of the Tenant'),
  object: Type.Literal('tenant'),
  name: Type.String(),
  created_at: Instant('When it was made, in real time'),
  suspended_at: Nullable(Instant('Since when its client gets no access token; in real time')),
  now: Instant("The Tenant's clock"),
  endpoint: EndpointHealth,
  last_day: LastDay,
  notices: Notices,
});
export type TenantFigures = Static<typeof TenantFigures>;

const LimitsUsed = Closed(
  {
    day: Day('The day in Eastern Time'),
    approvals: Closed(
      {
        used: Count('What was approved of the capped acts, in cents'),
        maximum: Count('The cap for each Tenant and day, in cents'),
      },
      'Without a further admin (rules/approvals#9)',
    ),
    customers: Type.Array(
      Closed({
        limit: OneOf(['load_daily', 'payment_daily', 'withdrawal_daily'], 'Key of the limit'),
        customer_type: OneOf(['individual', 'business'], 'Whose limit it is'),
        customer_id: Id('The customer who has used most'),
        used: Count('In cents'),
        maximum: Nullable(Count('In cents; null: no limit')),
      }),
      { description: 'Of each daily limit that somebody has used, and each type of customer' },
    ),
  },
  "What is used today, by the Tenant's clock",
);

export const TenantDetail = Closed({
  ...TenantFigures.properties,
  suspended_reason: Nullable(Type.String({ description: 'As who suspended it wrote it' })),
  customers: Count('In whatever state'),
  open_disputes: Count('Those that are not resolved'),
  waiting: Count('Cases that wait for a reviewer'),
  active_credentials: Count('Client secrets that give access tokens'),
  lacks: Type.Array(Type.String(), {
    description:
      'In production: `institution`, and documents of which only the sample is there; without them no customer is taken',
  }),
  rate: Closed(
    {
      limit: Count('`settings.rate_limit_per_minute`'),
      busiest_minute: Count('The most requests in a minute of the last 24 hours'),
      last_minute: Count('The requests of the last 60 seconds'),
    },
    'How much of the rate limit is used',
  ),
  limits_used: LimitsUsed,
  owners: Type.Array(
    Closed({ id: Id('Person identifier'), name: Type.String(), email: Type.String() }),
    { description: 'Who may invite its other members' },
  ),
});
export type TenantDetail = Static<typeof TenantDetail>;

const byStaff = {
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  ownTenant: true,
} as const;

export const listTenants = portalEndpoint({
  id: 'listTenants',
  method: 'GET',
  path: '/portal/api/tenants',
  summary: 'List the Tenants with their last day, newest first',
  ...byStaff,
  query: Closed({
    q: Type.Optional(Text(100, 'A part of the name, or the whole id')),
    ids: Type.Optional(
      Text(maximumFaces * 40, `Only these: at most ${maximumFaces} ids, with commas between`),
    ),
    status: Type.Optional(
      OneOf(['active', 'suspended'], 'Only those that are or are not suspended'),
    ),
    ...inOrder,
    ...asFile,
    ...pageQuery,
  }),
  success: { status: 200, schema: List(TenantFigures) },
  errors: ['parameter_invalid'],
});

export const getTenant = portalEndpoint({
  id: 'getTenant',
  method: 'GET',
  path: '/portal/api/tenants/:id',
  summary: 'Get a Tenant with its last day, what waits in it and who owns it',
  ...byStaff,
  personal: 'owners',
  params: Closed({ id: IdInput('The Tenant') }),
  success: { status: 200, schema: TenantDetail },
  errors: ['parameter_invalid', 'not_found'],
});
