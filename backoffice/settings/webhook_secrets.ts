import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { endpointUuid } from '@tenant-payments/service/webhooks/further_table.ts';
import { listSecrets, type WebhookSecret } from '@tenant-payments/service/webhooks/secrets.ts';

/** GET /portal/api/webhook-secrets (rules/webhooks#20) */
export const listWebhookSecrets =
  ({ pool }: Pick<Service, 'pool'>) =>
  async (
    { tenantId }: Pick<ReadContext, 'tenantId'>,
    { endpoint_id }: { readonly endpoint_id?: string },
  ): Promise<Page<WebhookSecret>> => {
    const endpointId = endpoint_id === undefined ? null : endpointUuid(endpoint_id);
    return wholeList(await listSecrets(pool, tenantId, endpointId));
  };
