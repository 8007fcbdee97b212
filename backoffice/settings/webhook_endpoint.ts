import type { WebhookEndpoint } from '@tenant-payments/contract/resources/webhook_endpoints.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { readEndpoint } from '@tenant-payments/service/webhooks/endpoint.ts';

/** GET /portal/api/webhook-endpoint */
export const getWebhookEndpoint = ({
  tenantId,
  db,
}: Pick<ReadContext, 'tenantId' | 'db'>): Promise<WebhookEndpoint> => readEndpoint(db, tenantId);
