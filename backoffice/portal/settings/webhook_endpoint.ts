import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { joinTransaction } from '@tenant-payments/engine/join_transaction.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { urlFault } from '@tenant-payments/service/webhooks/send/address.ts';
import { sql } from 'kysely';
import type {
  putWebhookEndpoint as contract,
  WebhookEndpoint,
} from '../../contract/traffic/webhooks.ts';

/** GET /portal/api/webhook-endpoint */
export async function getWebhookEndpoint({
  tenantId,
  db,
}: Pick<ReadContext, 'tenantId' | 'db'>): Promise<WebhookEndpoint> {
  const { rows } = await sql<WebhookEndpoint>`
    select url, enabled from webhook_endpoints where tenant_id = ${tenantId}`.execute(db);
  return rows[0] ?? { url: null, enabled: false };
}

/**
 * PUT /portal/api/webhook-endpoint. It also changes `tenants.delivers` and the tenant's revision,
 * which batches prove: an event made while an endpoint is enabled always has a delivery.
 * @throws ApiError parameter_invalid for an address that is not allowed for webhooks
 */
export const putWebhookEndpoint =
  ({ environment }: Pick<Service, 'environment'>) =>
  async (
    { tenantId, db, now }: Pick<ReadContext, 'tenantId' | 'db' | 'now'>,
    { url, enabled = true }: BodyOf<typeof contract>,
  ): Promise<WebhookEndpoint> => {
    const reason = urlFault(url, environment);
    if (reason !== null) throw fail('parameter_invalid', { param: 'url', details: { reason } });
    const at = await now();
    await joinTransaction(db, async (tx) => {
      await sql`update tenants set delivers = ${enabled}, revision = revision + 1
        where tenant_id = ${tenantId}`.execute(tx);
      await sql`insert into webhook_endpoints (tenant_id, url, enabled, updated_at)
        values (${tenantId}, ${url}, ${enabled}, ${at})
        on conflict (tenant_id) do update set url = excluded.url, enabled = excluded.enabled,
          updated_at = excluded.updated_at`.execute(tx);
    });
    return { url, enabled };
  };
