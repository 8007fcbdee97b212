import { putWebhookEndpoint as contract } from '@tenant-payments/backoffice/contract/traffic/webhooks.ts';
import {
  getWebhookEndpoint,
  putWebhookEndpoint,
} from '../../backoffice/portal/settings/webhook_endpoint.ts';
import { webhookSecrets } from '../../backoffice/portal/settings/webhook_secrets.ts';
import { fail } from '../../engine/fail.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import type { Deployment } from './deployment.ts';
import { recorded } from './recorded.ts';
import { type OfTenant, openTenant } from './tenant.ts';

interface Endpoint extends OfTenant {
  readonly url?: string;
  readonly enabled?: boolean;
}

async function openSecrets(deployment: Deployment, given: OfTenant) {
  const { parts, context } = await openTenant(deployment, given);
  return { secrets: webhookSecrets(parts), context };
}

export const operations = {
  /** Shows the endpoint, or changes what is given of it. */
  async endpoint(deployment: Deployment, { url, enabled, ...given }: Endpoint) {
    const { parts, context } = await openTenant(deployment, given);
    const before = await getWebhookEndpoint(context);
    if (url === undefined && enabled === undefined) return before;
    const address = url ?? before.url;
    if (address === null)
      throw fail('parameter_missing', { param: 'url', message: 'no endpoint is set yet' });
    const change = { url: address, enabled: enabled ?? (before.url === null || before.enabled) };
    assertShape(contract.body, change);
    return recorded(
      deployment,
      {
        act: 'putWebhookEndpoint',
        tenantId: context.tenantId,
        event: 'webhook_endpoint_changed',
        before: (db) => getWebhookEndpoint({ ...context, db }),
      },
      (db) => putWebhookEndpoint(parts)({ ...context, db }, change),
    );
  },

  async listSecrets(deployment: Deployment, given: OfTenant) {
    const { secrets, context } = await openSecrets(deployment, given);
    return secrets.list(context);
  },

  async createSecret(deployment: Deployment, given: OfTenant) {
    const { secrets, context } = await openSecrets(deployment, given);
    const { tenantId } = context;
    return recorded(
      deployment,
      { act: 'createWebhookSecret', tenantId, event: 'webhook_secret_made', names: ['id'] },
      (db) => secrets.create({ ...context, db }),
    );
  },

  async retireSecret(deployment: Deployment, given: OfTenant & { readonly id: string }) {
    const { secrets, context } = await openSecrets(deployment, given);
    const { tenantId } = context;
    return recorded(
      deployment,
      { act: 'retireWebhookSecret', tenantId, event: 'webhook_secret_retired', names: ['id'] },
      (db) => secrets.retire({ ...context, db }, given),
    );
  },
};
