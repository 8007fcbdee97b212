import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  addSecret,
  listSecrets,
  type NewWebhookSecret,
  retireSecret,
  type WebhookSecret,
} from '@tenant-payments/service/webhooks/secrets.ts';

type Context = Pick<Service, 'pool' | 'vault'>;
type OfTenant = Omit<ReadContext, 'pages'>;

/** The secrets that sign webhooks (rules/webhooks#20). */
export const webhookSecrets = ({ pool, vault }: Context) => ({
  list: async ({ tenantId }: OfTenant): Promise<Page<WebhookSecret>> =>
    wholeList(await listSecrets(pool, tenantId)),

  create: async ({ db, tenantId, now }: OfTenant): Promise<NewWebhookSecret> =>
    addSecret({ db, vault }, tenantId, await now()),

  retire: async ({ db, tenantId, now }: OfTenant, { id }: { id: string }): Promise<WebhookSecret> =>
    retireSecret({ db }, tenantId, id, await now()),
});
