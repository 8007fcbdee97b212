import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type {
  putWebhookEndpoint as contract,
  WebhookEndpoint,
} from '@tenant-payments/contract/portal/webhooks.ts';
import { sql } from 'kysely';
import { fail } from '../../core/fail.ts';
import type { ReadContext, Service } from '../../service.ts';
import type { Dispatcher } from '../../webhooks/dispatch/dispatcher.ts';
import { urlFault } from '../../webhooks/send/address.ts';

/** GET /portal/api/webhook-endpoint */
export async function getWebhookEndpoint({ tenantId, db }: ReadContext): Promise<WebhookEndpoint> {
  const { rows } = await sql<WebhookEndpoint>`
    select url, enabled from webhook_endpoints where tenant_id = ${tenantId}`.execute(db);
  return rows[0] ?? { url: null, enabled: false };
}

/**
 * PUT /portal/api/webhook-endpoint. `tenants.delivers` moves with it, and raises the revision that
 * batches prove: an event either has its delivery or was made while nobody waited.
 * @throws ApiError parameter_invalid for an address that webhooks may not go to
 */
export const putWebhookEndpoint =
  ({ environment }: Pick<Service, 'environment'>, dispatcher: Pick<Dispatcher, 'delivers'>) =>
  async (
    { tenantId, db, now }: ReadContext,
    { url, enabled = true }: BodyOf<typeof contract>,
  ): Promise<WebhookEndpoint> => {
    const reason = urlFault(url, environment);
    if (reason !== null) throw fail('parameter_invalid', { param: 'url', details: { reason } });
    const at = await now();
    await db.transaction().execute(async (tx) => {
      await sql`update tenants set delivers = ${enabled}, revision = revision + 1
        where tenant_id = ${tenantId}`.execute(tx);
      await sql`insert into webhook_endpoints (tenant_id, url, enabled, updated_at)
        values (${tenantId}, ${url}, ${enabled}, ${at})
        on conflict (tenant_id) do update set url = excluded.url, enabled = excluded.enabled,
          updated_at = excluded.updated_at`.execute(tx);
    });
    dispatcher.delivers(tenantId, enabled);
    return { url, enabled };
  };
