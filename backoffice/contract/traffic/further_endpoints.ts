import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import { List } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
  Secret,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import { eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Webhook endpoints beside the first one (rules/webhooks#35). */

/** Names a further endpoint in an operation that is else about the first one. */
export const ofEndpoint = {
  endpoint_id: Type.Optional(IdInput('A further webhook endpoint; absent: the first one')),
};

const name = Readable(60, 'What the Tenant calls it');
const url = Text(2048, 'https only; the sandbox also takes http on loopback');
const types = Nullable(
  Type.Array(OneOf(eventTypes), {
    minItems: 1,
    uniqueItems: true,
    description: 'The types of the events that it gets; null: all',
  }),
);

const fields = {
  id: Id('Endpoint identifier'),
  name: Type.String(),
  url: Type.String(),
  enabled: Type.Boolean(),
  types: Nullable(Type.Array(OneOf(eventTypes), { description: 'Null: all' })),
  created_at: Instant("When it was added, on the Tenant's clock"),
  updated_at: Instant('When it was changed last'),
};

export const FurtherEndpoint = Closed({
  ...fields,
  last_success_at: Nullable(Instant('The last attempt that was accepted')),
  failure_streak: Type.Integer({ description: 'Attempts that have failed since' }),
});
export type FurtherEndpoint = Static<typeof FurtherEndpoint>;

const ChangedEndpoint = Closed(fields);

export const NewFurtherEndpoint = Closed({
  ...fields,
  secret: Secret('Its first signing secret, with its prefix; shown only once'),
});

export const listFurtherEndpoints = portalEndpoint({
  id: 'listFurtherEndpoints',
  method: 'GET',
  path: '/portal/api/webhook-endpoints',
  summary: 'List the webhook endpoints beside the first one, with how their attempts end lately',
  idempotent: 'none',
  may: ['developer', 'support'],
  of: 'tenant',
  success: { status: 200, schema: List(FurtherEndpoint) },
  errors: [],
});

export const createFurtherEndpoint = portalEndpoint({
  id: 'createFurtherEndpoint',
  method: 'POST',
  path: '/portal/api/webhook-endpoints',
  summary: `Add a webhook endpoint, with a secret of its own; a Tenant has at most ${sizes.webhookEndpoints}, the first one included`,
  idempotent: 'none',
  may: ['developer'],
  stepUp: true,
  of: 'tenant',
  body: Closed({
    name,
    url,
    types: Type.Optional(types),
    enabled: Type.Optional(Type.Boolean({ description: 'Default true' })),
  }),
  success: { status: 201, schema: NewFurtherEndpoint },
  errors: ['parameter_missing', 'parameter_invalid', 'invalid_state'],
});

export const changeFurtherEndpoint = portalEndpoint({
  id: 'changeFurtherEndpoint',
  method: 'PUT',
  path: '/portal/api/webhook-endpoints/:id',
  summary:
    'Change what is given of a further webhook endpoint; enabling it sends nothing by itself',
  idempotent: 'none',
  may: ['developer'],
  stepUp: true,
  of: 'tenant',
  params: Closed({ id: IdInput('Endpoint identifier') }),
  body: Closed({
    name: Type.Optional(name),
    url: Type.Optional(url),
    types: Type.Optional(types),
    enabled: Type.Optional(Type.Boolean()),
  }),
  success: { status: 200, schema: ChangedEndpoint },
  errors: ['parameter_invalid', 'not_found'],
});

export const deleteFurtherEndpoint = portalEndpoint({
  id: 'deleteFurtherEndpoint',
  method: 'DELETE',
  path: '/portal/api/webhook-endpoints/:id',
  summary:
    'Delete a further webhook endpoint: nothing more is sent to it, and its secrets are retired',
  idempotent: 'none',
  may: ['developer'],
  stepUp: true,
  of: 'tenant',
  params: Closed({ id: IdInput('Endpoint identifier') }),
  success: { status: 200, schema: ChangedEndpoint },
  errors: ['not_found'],
});
