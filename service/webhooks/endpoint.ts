import type { WebhookEndpoint } from '@tenant-payments/contract/resources/webhook_endpoints.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { column, type RowOf, table } from '@tenant-payments/engine/table.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import { obeyUrl } from './url.ts';

/** A Tenant's endpoint. A Tenant without a row has set none. */
export const webhookEndpoints = table({
  name: 'webhook_endpoints',
  key: [],
  columns: { url: column.text, enabled: column.boolean, updated_at: column.instant },
  audited: ({ url, enabled }) => ({ url, enabled }),
});
type EndpointRow = RowOf<typeof webhookEndpoints>;

const shownEndpoint = (row: Pick<EndpointRow, 'url' | 'enabled'> | null): WebhookEndpoint =>
  row ? { url: row.url, enabled: row.enabled } : { url: null, enabled: false };

/** The endpoint as it is shown. */
export async function readEndpoint(
  db: Kysely<Database>,
  tenantId: string,
): Promise<WebhookEndpoint> {
  const { rows } = await sql<EndpointRow>`
    select url, enabled from webhook_endpoints where tenant_id = ${tenantId}`.execute(db);
  return shownEndpoint(rows[0] ?? null);
}

interface Endpoint {
  readonly url: string;
  /** Absent: yes. */
  readonly enabled?: boolean;
}

/**
 * Sets the endpoint (rules/webhooks#16). It also changes `delivers` of the Tenant's row, which batches
 * prove: an event made while an endpoint is enabled always has a delivery.
 * @throws ApiError parameter_invalid for an address that is not allowed for webhooks
 */
export const setWebhookEndpoint = command('set_webhook_endpoint', {
  load: async (read, _input: Endpoint) => {
    const [tenant, endpoint] = await Promise.all([
      read.one(tenants, {}),
      read.maybe(webhookEndpoints, {}),
    ]);
    return { tenant, endpoint };
  },
  decide: (work, { tenant, endpoint }, { url, enabled = true }) => {
    obeyUrl(work, url);
    work.change(tenant, { delivers: enabled });
    const row = { url, enabled, updated_at: work.now };
    if (endpoint) work.change(endpoint, row);
    else work.create(webhookEndpoints, row);
    return { value: shownEndpoint(row) };
  },
});
