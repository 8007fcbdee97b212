import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Messages of providers, and what became of them (rules/rails#16). */

const seen = {
  id: Id('The message here'),
  tenant_id: Nullable(Id('The Tenant; null: it names one that is not known')),
  tenant_name: Nullable(Type.String({ description: "The Tenant's name" })),
  provider: Type.String({ description: 'Who sent it' }),
  message_id: Type.String({ description: "The provider's own id of it" }),
  port: OneOf(['bank', 'identity', 'aggregator', 'messages'], 'What it is about'),
  record: Nullable(
    Type.String({
      description: 'The uuid that it names: of an order, a subject, a link or a message',
    }),
  ),
  state: OneOf(['received', 'taken', 'parked', 'refused']),
  result: Nullable(Type.String({ description: 'What it did, or why it was refused' })),
  received_at: Instant('In real time'),
  acted_at: Nullable(Instant('In real time')),
  replays: Type.Integer({ minimum: 0, description: 'How often it was replayed' }),
  closed_at: Nullable(Instant('In real time')),
  closed_by: Nullable(Type.String({ description: 'Who closed it' })),
  close_reason: Nullable(Type.String({ description: 'What that person wrote' })),
};

export const RailMessage = Closed({ object: Type.Literal('rail_message'), ...seen });
export type RailMessage = Static<typeof RailMessage>;

export const railMessageStates = ['open', 'closed', 'received'] as const;

export const listRailMessages = portalEndpoint({
  id: 'listRailMessages',
  method: 'GET',
  path: '/portal/api/rail-messages',
  summary: 'List the messages of providers that did nothing, oldest first',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
  query: Closed({
    tenant_id: Type.Optional(IdInput('Of this Tenant alone')),
    provider: Type.Optional(IdInput('Of this provider alone')),
    state: Type.Optional(
      OneOf(railMessageStates, 'Default `open`: parked or refused, and not closed'),
    ),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(RailMessage) },
  errors: ['parameter_invalid'],
});

export const RailMessageDetail = Closed({
  object: Type.Literal('rail_message_detail'),
  ...seen,
  said: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'The fact that it reports, without personal data; null: it was erased',
    }),
  ),
});
export type RailMessageDetail = Static<typeof RailMessageDetail>;

const one = Closed({
  tenant_id: IdInput('The Tenant, or `platform` for a message of none'),
  id: IdInput('The message here'),
});

export const getRailMessage = portalEndpoint({
  id: 'getRailMessage',
  method: 'GET',
  path: '/portal/api/rail-messages/:tenant_id/:id',
  summary: 'Get a message of a provider, with what it said',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
  params: one,
  success: { status: 200, schema: RailMessageDetail },
  errors: ['not_found'],
});

export const replayRailMessage = portalEndpoint({
  id: 'replayRailMessage',
  method: 'POST',
  path: '/portal/api/rail-messages/:tenant_id/:id/replay',
  summary: 'Report a message that did nothing to its record once more',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
  stepUp: true,
  params: one,
  success: { status: 200, schema: RailMessageDetail },
  errors: ['parameter_invalid', 'not_found', 'invalid_state'],
});

export const closeRailMessage = portalEndpoint({
  id: 'closeRailMessage',
  method: 'POST',
  path: '/portal/api/rail-messages/:tenant_id/:id/close',
  summary: 'Close a message that did nothing, with what was found out',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
  stepUp: true,
  params: one,
  body: Closed({ reason: Readable(2_000, 'What was found out, and done') }),
  success: { status: 200, schema: RailMessageDetail },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found', 'invalid_state'],
});
