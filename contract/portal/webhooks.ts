import Type, { type Static } from 'typebox';
import { List } from '../core/page.ts';
import { Closed, Id, IdInput, Instant, Nullable, Secret, Text } from '../core/schema.ts';
import { portalEndpoint } from './endpoint.ts';

/** Where events go, and what signs them (surfaces, Portal JSON; contract: Signature 5). */

export const WebhookEndpoint = Closed({
  url: Nullable(Type.String({ description: 'Where events are sent; null before any was set' })),
  enabled: Type.Boolean(),
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const getWebhookEndpoint = portalEndpoint({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/portal/api/webhook-endpoint',
  summary: 'The address that events are sent to',
  idempotent: 'none',
  role: 'reader',
  success: { status: 200, schema: WebhookEndpoint },
  errors: [],
});

export const putWebhookEndpoint = portalEndpoint({
  id: 'putWebhookEndpoint',
  method: 'PUT',
  path: '/portal/api/webhook-endpoint',
  summary: 'Set the address; enabling it sends nothing by itself',
  idempotent: 'none',
  role: 'developer',
  body: Closed({
    url: Text(2048, 'https only; the sandbox also takes http on loopback'),
    enabled: Type.Optional(Type.Boolean({ description: 'True when it is not given' })),
  }),
  success: { status: 200, schema: WebhookEndpoint },
  errors: ['parameter_invalid'],
});

export const WebhookSecret = Closed({
  id: Id('Secret identifier'),
  created_at: Instant('Made'),
  retired_at: Nullable(Instant('Taken out of use')),
});
export type WebhookSecret = Static<typeof WebhookSecret>;

export const NewWebhookSecret = Closed({
  id: Id('Secret identifier'),
  secret: Secret('The key, prefix included; shown this once'),
  created_at: Instant('Made'),
});

export const listWebhookSecrets = portalEndpoint({
  id: 'listWebhookSecrets',
  method: 'GET',
  path: '/portal/api/webhook-secrets',
  summary: 'The signing secrets, newest first, without the secrets themselves',
  idempotent: 'none',
  role: 'reader',
  success: { status: 200, schema: List(WebhookSecret) },
  errors: [],
});

export const createWebhookSecret = portalEndpoint({
  id: 'createWebhookSecret',
  method: 'POST',
  path: '/portal/api/webhook-secrets',
  summary: 'Make a signing secret, shown this once; at most three are active',
  idempotent: 'none',
  role: 'developer',
  success: { status: 201, schema: NewWebhookSecret },
  errors: ['invalid_state'],
});

export const retireWebhookSecret = portalEndpoint({
  id: 'retireWebhookSecret',
  method: 'DELETE',
  path: '/portal/api/webhook-secrets/:id',
  summary: 'Retire a secret: nothing is signed with it from a second later on',
  idempotent: 'none',
  role: 'developer',
  params: Closed({ id: IdInput('Secret identifier') }),
  success: { status: 200, schema: WebhookSecret },
  errors: ['not_found'],
});
