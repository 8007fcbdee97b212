import type { FastifyInstance } from 'fastify';
import { fail } from '../core/fail.ts';
import { serveRead } from '../http/serve.ts';
import type { Advance } from '../jobs/advance.ts';
import type { Service } from '../service.ts';
import { listAttempts } from '../webhooks/attempts.ts';
import type { Dispatcher } from '../webhooks/deliver.ts';
import { advanceClock, getClock } from './clock.ts';
import * as contract from './contract.ts';
import { listEntries, verifyTenant } from './ledger.ts';
import { serveWrite } from './serve.ts';
import { getSettings, putSettings } from './settings.ts';
import { getWebhookEndpoint, putWebhookEndpoint } from './webhook_endpoint.ts';
import { webhookSecrets } from './webhook_secrets.ts';

export interface PortalParts {
  readonly advance: Advance;
  readonly dispatcher: Dispatcher;
}

/**
 * The portal's JSON (surfaces, Portal JSON), every route written out, on a scope that `guard` has
 * put authentication before. In the sandbox the Tenant's bearer token opens all of it; production
 * wants the portal's login, so no bearer token opens anything there.
 */
export function registerPortal(
  guarded: FastifyInstance,
  service: Service,
  parts: PortalParts,
): void {
  guarded.register(async (scope) => servePortal(scope, service, parts));
}

function servePortal(
  scope: FastifyInstance,
  service: Service,
  { advance, dispatcher }: PortalParts,
): void {
  if (service.environment === 'production')
    scope.addHook('onRequest', async () => {
      throw fail('authentication_required', { message: 'the portal needs its own login' });
    });

  serveRead(scope, service, contract.getWebhookEndpoint, getWebhookEndpoint);
  const setEndpoint = putWebhookEndpoint(service, dispatcher);
  serveWrite(scope, service, contract.putWebhookEndpoint, setEndpoint);

  const secrets = webhookSecrets(service);
  serveRead(scope, service, contract.listWebhookSecrets, secrets.list);
  serveWrite(scope, service, contract.createWebhookSecret, secrets.create);
  serveWrite(scope, service, contract.retireWebhookSecret, secrets.retire);

  serveRead(scope, service, contract.getClock, getClock(advance));
  serveWrite(scope, service, contract.advanceClock, advanceClock(advance));

  serveRead(scope, service, contract.getSettings, getSettings);
  serveWrite(scope, service, contract.putSettings, putSettings);

  serveRead(scope, service, contract.listEventAttempts, listAttempts);
  serveRead(scope, service, contract.listLedgerEntries, listEntries);
  serveRead(scope, service, contract.verifyTenantLedger, verifyTenant(service));
}
