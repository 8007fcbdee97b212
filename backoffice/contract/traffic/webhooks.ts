import { List } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  Secret,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import { WebhookEndpoint } from '@tenant-payments/contract/resources/webhook_endpoints.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { ofEndpoint } from './further_endpoints.ts';

/** The webhook endpoint and the signing secrets (rules/webhooks#16, rules/webhooks#20). */

export const getWebhookEndpoint = portalEndpoint({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/portal/api/webhook-endpoint',
  summary: 'Get the webhook endpoint',
  idempotent: 'none',
  may: ['developer', 'support'],
  of: 'tenant',
  success: { status: 200, schema: WebhookEndpoint },
  errors: [],
});

export const putWebhookEndpoint = portalEndpoint({
  id: 'putWebhookEndpoint',
  method: 'PUT',
  path: '/portal/api/webhook-endpoint',
  summary: 'Set the webhook endpoint; enabling it sends nothing by itself',
  idempotent: 'none',
  may: ['developer'],
  stepUp: true,
  of: 'tenant',
  body: Closed({
    url: Text(2048, 'https only; the sandbox also takes http on loopback'),
    enabled: Type.Optional(Type.Boolean({ description: 'Default true' })),
  }),
  success: { status: 200, schema: WebhookEndpoint },
  errors: ['parameter_invalid'],
});

export const WebhookSecret = Closed({
  id: Id('Secret identifier'),
  created_at: Instant('When it was created'),
  retired_at: Nullable(Instant('When it was retired')),
});
export type WebhookSecret = Static<typeof WebhookSecret>;

export const NewWebhookSecret = Closed({
  id: Id('Secret identifier'),
  secret: Secret('The key with its prefix; shown only once'),
  created_at: Instant('When it was created'),
});

export const listWebhookSecrets = portalEndpoint({
  id: 'listWebhookSecrets',
  method: 'GET',
  path: '/portal/api/webhook-secrets',
  summary: 'List the signing secrets of an endpoint, newest first, without their keys',
  idempotent: 'none',
  may: ['developer', 'support'],
  of: 'tenant',
  query: Closed(ofEndpoint),
  success: { status: 200, schema: List(WebhookSecret) },
  errors: [],
});

export const createWebhookSecret = portalEndpoint({
  id: 'createWebhookSecret',
  method: 'POST',
  path: '/portal/api/webhook-secrets',
  summary: 'Create a signing secret of an endpoint, shown only once; at most three are active',
  idempotent: 'none',
  may: ['developer'],
  stepUp: true,
  of: 'tenant',
  body: Closed(ofEndpoint),
  success: { status: 201, schema: NewWebhookSecret },
  errors: ['not_found', 'invalid_state'],
});

export const retireWebhookSecret = portalEndpoint({
  id: 'retireWebhookSecret',
  method: 'DELETE',
  path: '/portal/api/webhook-secrets/:id',
  summary:
    'Retire a secret, but not the last active one of its endpoint; within a second it signs nothing more',
  idempotent: 'none',
  may: ['developer'],
  stepUp: true,
  of: 'tenant',
  params: Closed({ id: IdInput('Secret identifier') }),
  success: { status: 200, schema: WebhookSecret },
  errors: ['not_found', 'invalid_state'],
});
