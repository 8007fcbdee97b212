import { type Page, wholeList } from '../http/pages.ts';
import type { ReadContext, Service } from '../service.ts';
import {
  addSecret,
  listSecrets,
  type NewWebhookSecret,
  retireSecret,
  type WebhookSecret,
} from '../webhooks/secrets.ts';

type Needs = Pick<Service, 'db' | 'pool' | 'vault'>;

/** The secrets that sign webhooks (contract: Signature 5). */
export const webhookSecrets = (service: Needs) => ({
  list: async ({ tenantId }: ReadContext): Promise<Page<WebhookSecret>> =>
    wholeList(await listSecrets(service.pool, tenantId)),

  create: async ({ tenantId, now }: ReadContext): Promise<NewWebhookSecret> =>
    addSecret(service, tenantId, await now()),

  retire: async ({ tenantId, now }: ReadContext, { id }: { id: string }): Promise<WebhookSecret> =>
    retireSecret(service.pool, tenantId, id, await now()),
});
