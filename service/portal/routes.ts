import { portalEndpoints as contract } from '@tenant-payments/contract/portal/catalog.ts';
import type { FastifyInstance } from 'fastify';
import { fail } from '../core/fail.ts';
import { tellPortalEvents } from '../http/log/security.ts';
import { serve, serveHandler } from '../http/serve/serve.ts';
import type { Advance } from '../jobs/advance.ts';
import type { JobLoop } from '../jobs/job_loop.ts';
import { listCustomerDocuments, listLegalTexts } from '../resources/customers/documents/read.ts';
import type { Service } from '../service.ts';
import { listAttempts } from '../webhooks/attempts.ts';
import type { Dispatcher } from '../webhooks/dispatch/dispatcher.ts';
import { getChaos, putChaos } from './chaos.ts';
import { advanceClock, getClock } from './clock.ts';
import { listEntries, verifyTenant } from './ledger.ts';
import { listLifecycles } from './lifecycles.ts';
import { listRecords, recordLists } from './lists.ts';
import { listRequests } from './requests.ts';
import { openReviewMoves } from './review/moves.ts';
import { listReview } from './review/queue.ts';
import { reviewRecord } from './review/review.ts';
import { createSampleEvent } from './sample_events.ts';
import { credentials } from './settings/credentials.ts';
import { getSettings, putSettings } from './settings/settings.ts';
import { getWebhookEndpoint, putWebhookEndpoint } from './settings/webhook_endpoint.ts';
import { webhookSecrets } from './settings/webhook_secrets.ts';

export interface PortalParts {
  readonly advance: Advance;
  readonly dispatcher: Dispatcher;
  readonly jobs: JobLoop;
}

/**
 * Registers the portal's JSON (rules/operations#30), every route written out, on a scope that
 * `guard` protects. In the sandbox the Tenant's access token opens all of it; in production no
 * access token does, since the portal has a login of its own.
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
  { advance, dispatcher, jobs }: PortalParts,
): void {
  if (service.environment === 'production')
    scope.addHook('onRequest', async () => {
      throw fail('authentication_required', {
        message: 'the portal takes no access token in production; use its own login',
      });
    });

  tellPortalEvents(scope, service.log);
  serveHandler(scope, service, contract.getWebhookEndpoint, getWebhookEndpoint);
  const setEndpoint = putWebhookEndpoint(service, dispatcher);
  serveHandler(scope, service, contract.putWebhookEndpoint, setEndpoint);

  const secrets = webhookSecrets(service, dispatcher);
  serveHandler(scope, service, contract.listWebhookSecrets, secrets.list);
  serveHandler(scope, service, contract.createWebhookSecret, secrets.create);
  serveHandler(scope, service, contract.retireWebhookSecret, secrets.retire);

  serveHandler(scope, service, contract.listCredentials, credentials.list);
  serveHandler(scope, service, contract.createCredential, credentials.create);
  serveHandler(scope, service, contract.retireCredential, credentials.retire);
  serveHandler(scope, service, contract.revokeTokens, credentials.revokeTokens);

  serveHandler(scope, service, contract.getClock, getClock(advance));
  serveHandler(scope, service, contract.advanceClock, advanceClock(advance));

  serveHandler(scope, service, contract.getChaos, getChaos(service));
  serveHandler(scope, service, contract.putChaos, putChaos(service));
  serveHandler(scope, service, contract.createSampleEvent, createSampleEvent(service));

  for (const { endpoint, table } of recordLists)
    serveHandler(scope, service, endpoint, listRecords(table));

  serveHandler(scope, service, contract.listCustomerDocuments, listCustomerDocuments);
  serveHandler(scope, service, contract.listLegalTexts, listLegalTexts);
  serveHandler(scope, service, contract.listEventAttempts, listAttempts);
  serveHandler(scope, service, contract.listRequests, listRequests);
  serveHandler(scope, service, contract.listLedgerEntries, listEntries);
  serveHandler(scope, service, contract.verifyLedger, verifyTenant(service));

  const moves = openReviewMoves(service);
  serveHandler(scope, service, contract.listReview, listReview(moves));
  serve(scope, service, contract.reviewRecord, reviewRecord(moves), jobs.runDueJobs);
  serveHandler(scope, service, contract.listLifecycles, listLifecycles);

  serveHandler(scope, service, contract.getSettings, getSettings);
  serveHandler(scope, service, contract.putSettings, putSettings(service));
}
