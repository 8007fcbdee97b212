import type { PortalCalls, PortalRecords, Shown } from './operation_example.ts';
import { at, further, tokenOf, uuid } from './story.ts';

/** Webhook endpoints, and the secrets of a Tenant. */

const endpoint = { url: 'https://shop.example.com/webhooks', enabled: true };
const given: Pick<Shown<'FurtherEndpoint'>, 'name' | 'url' | 'types'> = {
  name: 'Accounting',
  url: 'https://books.example.com/webhooks',
  types: ['payment.completed', 'refund.completed'],
};
const added = {
  id: further,
  ...given,
  enabled: true,
  created_at: at('14:00:00'),
  updated_at: at('14:00:00'),
};
const path = { id: further };
const off = { ...added, enabled: false, updated_at: at('16:00:00') };

const secretId = uuid('a1');
const credentialId = 'cred_019cb0c45e00700080000000000000a2';
const credential: Shown<'Credential'> = {
  id: credentialId,
  client_id: 'client_EXAMPLE',
  created_at: at('14:00:00'),
  retired_at: null,
  last_used_at: at('15:00:00'),
};

export const webhookRecords: PortalRecords = {
  WebhookEndpoint: endpoint,
  FurtherEndpoint: { ...added, last_success_at: at('15:05:21'), failure_streak: 0 },
  NewFurtherEndpoint: { ...added, secret: tokenOf('whsec') },
  WebhookSecret: { id: secretId, created_at: at('14:00:00'), retired_at: null },
  NewWebhookSecret: { id: secretId, secret: tokenOf('whsec'), created_at: at('14:00:00') },
  Credential: credential,
  NewCredential: {
    id: credentialId,
    client_id: 'client_EXAMPLE',
    client_secret: tokenOf('cs'),
    created_at: at('14:00:00'),
  },
  RevokedTokens: { revoked: 3 },
};

export const webhookCalls: PortalCalls = {
  putWebhookEndpoint: { body: endpoint },
  createFurtherEndpoint: { body: given },
  createWebhookSecret: { body: {} },
  changeFurtherEndpoint: { path, body: { enabled: false }, reply: off },
  deleteFurtherEndpoint: { path, reply: off },
  retireWebhookSecret: {
    path: { id: secretId },
    reply: { id: secretId, created_at: at('14:00:00'), retired_at: at('16:00:00') },
  },
  retireCredential: {
    path: { id: credentialId },
    reply: { ...credential, retired_at: at('16:00:00') },
  },
};
