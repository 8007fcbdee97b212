import type { WebhookEndpoint } from '@tenant-payments/contract/resources/webhook_endpoints.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  readEndpoint,
  setWebhookEndpoint,
  shownEndpoint,
} from '@tenant-payments/service/webhooks/endpoint.ts';
import { auditedCommand } from '../../audit/command.ts';
import { putWebhookEndpoint as contract } from '../../contract/traffic/webhooks.ts';

/** GET /portal/api/webhook-endpoint */
export const getWebhookEndpoint = ({
  tenantId,
  db,
}: Pick<ReadContext, 'tenantId' | 'db'>): Promise<WebhookEndpoint> => readEndpoint(db, tenantId);

/** PUT /portal/api/webhook-endpoint @throws ApiError parameter_invalid */
export const putWebhookEndpoint = (service: Pick<Service, 'environment'>) =>
  auditedCommand(contract, setWebhookEndpoint(service), {
    before: ({ endpoint }) => shownEndpoint(endpoint),
  });
