import { type Page, wholeList } from '../../core/pages.ts';
import type { ReadContext } from '../../resources/read_context.ts';
import type { Service } from '../../service.ts';
import type { Dispatcher } from '../../webhooks/dispatch/dispatcher.ts';
import {
  addSecret,
  listSecrets,
  type NewWebhookSecret,
  retireSecret,
  type WebhookSecret,
} from '../../webhooks/secrets.ts';

type Context = Pick<Service, 'db' | 'pool' | 'vault'>;

/** The secrets that sign webhooks (rules/webhooks#20). In this process a change applies at once. */
export const webhookSecrets = (
  service: Context,
  dispatcher: Pick<Dispatcher, 'forgetSecrets'>,
) => ({
  list: async ({ tenantId }: ReadContext): Promise<Page<WebhookSecret>> =>
    wholeList(await listSecrets(service.pool, tenantId)),

  create: async ({ tenantId, now }: ReadContext): Promise<NewWebhookSecret> => {
    const added = await addSecret(service, tenantId, await now());
    dispatcher.forgetSecrets(tenantId);
    return added;
  },

  retire: async (
    { tenantId, now }: ReadContext,
    { id }: { id: string },
  ): Promise<WebhookSecret> => {
    const retired = await retireSecret(service, tenantId, id, await now());
    dispatcher.forgetSecrets(tenantId);
    return retired;
  },
});
