import { putWebhookEndpoint as contract } from '@tenant-payments/backoffice/contract/traffic/webhooks.ts';
import { getWebhookEndpoint } from '../../backoffice/settings/webhook_endpoint.ts';
import { listWebhookSecrets } from '../../backoffice/settings/webhook_secrets.ts';
import type { WebhookEndpoint } from '../../contract/resources/webhook_endpoints.ts';
import { fail } from '../../engine/fail.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import { setWebhookEndpoint } from '../../service/webhooks/endpoint.ts';
import type { ShownEndpoint } from '../../service/webhooks/further_table.ts';
import {
  addWebhookSecret,
  type NewWebhookSecret,
  retireWebhookSecret,
  type WebhookSecret,
} from '../../service/webhooks/secrets.ts';
import type { Deployment } from './deployment.ts';
import {
  endpointIdOf,
  furtherEndpoint,
  furtherEndpoints,
  type OfEndpoint,
} from './further_endpoints.ts';
import { submitted } from './submit.ts';
import { type OfTenant, openTenant } from './tenant.ts';

interface Endpoint extends OfTenant, OfEndpoint {
  readonly url?: string;
  readonly enabled?: boolean;
}

const names = ['id'];

export const operations = {
  /** All endpoints: the first one, and those beside it. */
  async endpoints(deployment: Deployment, given: OfTenant) {
    const { context } = await openTenant(deployment, given);
    const [first, further] = await Promise.all([
      getWebhookEndpoint(context),
      furtherEndpoints(context.db, context.tenantId),
    ]);
    return { first, further };
  },

  /** Shows an endpoint, or changes what is given of it. */
  async endpoint(
    deployment: Deployment,
    { url, enabled, endpoint, ...given }: Endpoint,
  ): Promise<WebhookEndpoint | ShownEndpoint> {
    const { parts, context } = await openTenant(deployment, given);
    if (endpoint !== undefined) {
      const of = {
        named: endpoint,
        ...(url === undefined ? {} : { url }),
        ...(enabled === undefined ? {} : { enabled }),
      };
      return furtherEndpoint(deployment, parts, context.tenantId, of);
    }
    const before = await getWebhookEndpoint(context);
    if (url === undefined && enabled === undefined) return before;
    const address = url ?? before.url;
    if (address === null)
      throw fail('parameter_missing', { param: 'url', message: 'no endpoint is set yet' });
    const change = { url: address, enabled: enabled ?? (before.url === null || before.enabled) };
    assertShape(contract.body, change);
    const told = { act: 'putWebhookEndpoint', event: 'webhook_endpoint_changed' } as const;
    return submitted<WebhookEndpoint, typeof change>(
      deployment,
      context.tenantId,
      told,
      setWebhookEndpoint,
      change,
    );
  },

  async listSecrets(deployment: Deployment, given: OfTenant & OfEndpoint) {
    const { parts, context } = await openTenant(deployment, given);
    const of = await endpointIdOf(context.db, context.tenantId, given);
    return listWebhookSecrets(parts)(context, of);
  },

  async createSecret(deployment: Deployment, given: OfTenant & OfEndpoint) {
    const { parts, context } = await openTenant(deployment, given);
    const of = await endpointIdOf(context.db, context.tenantId, given);
    const told = { act: 'createWebhookSecret', event: 'webhook_secret_made', names } as const;
    const command = addWebhookSecret(parts.vault);
    return submitted<NewWebhookSecret, typeof of>(deployment, given.tenant, told, command, of);
  },

  retireSecret(deployment: Deployment, { tenant, id }: OfTenant & { readonly id: string }) {
    const told = { act: 'retireWebhookSecret', event: 'webhook_secret_retired', names } as const;
    return submitted<WebhookSecret, { id: string }>(deployment, tenant, told, retireWebhookSecret, {
      id,
    });
  },
};
