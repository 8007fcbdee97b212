import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { listSecrets, type WebhookSecret } from '@tenant-payments/service/webhooks/secrets.ts';

/** GET /portal/api/webhook-secrets (rules/webhooks#20) */
export const listWebhookSecrets =
  ({ pool }: Pick<Service, 'pool'>) =>
  async ({ tenantId }: Pick<ReadContext, 'tenantId'>): Promise<Page<WebhookSecret>> =>
    wholeList(await listSecrets(pool, tenantId));
