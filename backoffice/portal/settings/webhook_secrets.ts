import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  addWebhookSecret,
  listSecrets,
  retireWebhookSecret,
  type WebhookSecret,
} from '@tenant-payments/service/webhooks/secrets.ts';
import { auditedCommand } from '../../audit/command.ts';
import * as contract from '../../contract/traffic/webhooks.ts';

/** The secrets that sign webhooks (rules/webhooks#20). */
export const webhookSecrets = ({ pool, vault }: Pick<Service, 'pool' | 'vault'>) => ({
  list: async ({ tenantId }: Pick<ReadContext, 'tenantId'>): Promise<Page<WebhookSecret>> =>
    wholeList(await listSecrets(pool, tenantId)),

  create: auditedCommand(contract.createWebhookSecret, addWebhookSecret(vault)),

  retire: auditedCommand(contract.retireWebhookSecret, retireWebhookSecret),
});
