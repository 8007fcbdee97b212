import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { endpointUuidOf } from '@tenant-payments/service/webhooks/further_table.ts';
import { listSecrets, type WebhookSecret } from '@tenant-payments/service/webhooks/secrets.ts';

/** GET /portal/api/webhook-secrets (rules/webhooks#20) */
export const listWebhookSecrets =
  ({ pool }: Pick<Service, 'pool'>) =>
  async (
    { tenantId }: Pick<ReadContext, 'tenantId'>,
    { endpoint_id }: { readonly endpoint_id?: string },
  ): Promise<Page<WebhookSecret>> => {
    if (endpoint_id === undefined) return wholeList(await listSecrets(pool, tenantId));
    const endpointId = endpointUuidOf(endpoint_id);
    return wholeList(endpointId === null ? [] : await listSecrets(pool, tenantId, endpointId));
  };
