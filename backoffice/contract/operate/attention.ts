import {
  Closed,
  Day,
  Id,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { deskResources } from './desk.ts';

/** One notion of what needs a person, for every page and the navigation (rules/operations#94). */

/** More are counted as so many, and more. */
export const mostAttention = 99;

/** The kinds of items in the order in which pages show them. */
export const attentionOfTenant = [
  'endpoints_failing',
  'disputes_late',
  'disputes_due',
  'keys_expiring',
  'documents_asked',
] as const;

export const attentionOfPlatform = [
  'disputes_late',
  'cases_late',
  'worries',
  'alarms',
  'cases',
  'approvals',
  'requests',
] as const;

const Named = Closed({
  id: Nullable(Id('The record, where it has an id')),
  name: Nullable(Type.String({ description: 'What the Tenant calls it' })),
  at: Nullable(Instant('Its deadline, or when it expires')),
});

const itemOf = <const Kind extends string>(kinds: readonly Kind[]) =>
  Closed({
    kind: OneOf(kinds),
    count: Type.Integer({
      minimum: 1,
      maximum: mostAttention,
      description: `How many, up to ${mostAttention}`,
    }),
    is_more: Type.Boolean({ description: 'There are more' }),
    is_trouble: Type.Boolean({ description: 'Something fails or is late; else it only waits' }),
    first: Type.Array(Named, { maxItems: 3, description: 'The first of them, where they are few' }),
  });

export const Attention = Closed({
  object: Type.Literal('attention'),
  items: Type.Array(itemOf(attentionOfTenant), {
    description: 'Of what the caller may open: nothing that is not there',
  }),
});
export type Attention = Static<typeof Attention>;

export const getAttention = portalEndpoint({
  id: 'getAttention',
  method: 'GET',
  path: '/portal/api/attention',
  summary:
    'Get what needs a person in the Tenant: endpoints that fail, deadlines, keys that expire',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  success: { status: 200, schema: Attention },
  errors: [],
});

export const PlatformAttention = Closed({
  object: Type.Literal('platform_attention'),
  items: Type.Array(itemOf(attentionOfPlatform), {
    description: 'Of what the caller may open: nothing that is not there',
  }),
});
export type PlatformAttention = Static<typeof PlatformAttention>;

export const getPlatformAttention = portalEndpoint({
  id: 'getPlatformAttention',
  method: 'GET',
  path: '/portal/api/platform-attention',
  summary:
    'Get what needs the staff of the platform: what is late, alarms, worries, cases, requests',
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  ownTenant: true,
  success: { status: 200, schema: PlatformAttention },
  errors: [],
});

/** Cases of a kind that are looked at, at most. */
export const mostQueued = 1_000;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const DeskSummary = Closed({
  object: Type.Literal('desk_summary'),
  kinds: Type.Array(
    Closed({
      resource: OneOf(deskResources),
      waiting: Count(`Cases that wait, up to ${mostQueued}`),
      is_more: Type.Boolean({ description: 'There are more' }),
      late: Count('Of them, those whose deadline has passed'),
      oldest_seconds: Type.Number({
        minimum: 0,
        description: "How long the oldest waits, on its Tenant's clock",
      }),
    }),
    { description: 'Of what waits: the oldest first' },
  ),
  due: Type.Array(
    Closed({
      day: Day('A day of Eastern Time'),
      count: Count('Cases whose deadline ends on it'),
    }),
    { minItems: 7, maxItems: 7, description: 'Today and the six days behind it' },
  ),
});
export type DeskSummary = Static<typeof DeskSummary>;

export const getDeskSummary = portalEndpoint({
  id: 'getDeskSummary',
  method: 'GET',
  path: '/portal/api/desk-summary',
  summary: 'Get how long cases wait, by kind, and how many are due on each day of a week',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
  success: { status: 200, schema: DeskSummary },
  errors: [],
});
