import { portalEndpoints as contract } from '@tenant-payments/contract/portal/catalog.ts';
import type { FastifyInstance } from 'fastify';
import { fail } from '../core/fail.ts';
import { serve, serveRead } from '../http/serve/serve.ts';
import type { Advance } from '../jobs/advance.ts';
import type { JobLoop } from '../jobs/job_loop.ts';
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
import { serveWrite } from './serve.ts';
import { getSettings, putSettings } from './settings/settings.ts';
import { getWebhookEndpoint, putWebhookEndpoint } from './settings/webhook_endpoint.ts';
import { webhookSecrets } from './settings/webhook_secrets.ts';

export interface PortalParts {
  readonly advance: Advance;
  readonly dispatcher: Dispatcher;
  readonly jobs: JobLoop;
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
  { advance, dispatcher, jobs }: PortalParts,
): void {
  if (service.environment === 'production')
    scope.addHook('onRequest', async () => {
      throw fail('authentication_required', { message: 'the portal needs its own login' });
    });

  serveRead(scope, service, contract.getWebhookEndpoint, getWebhookEndpoint);
  const setEndpoint = putWebhookEndpoint(service, dispatcher);
  serveWrite(scope, service, contract.putWebhookEndpoint, setEndpoint);

  const secrets = webhookSecrets(service, dispatcher);
  serveRead(scope, service, contract.listWebhookSecrets, secrets.list);
  serveWrite(scope, service, contract.createWebhookSecret, secrets.create);
  serveWrite(scope, service, contract.retireWebhookSecret, secrets.retire);

  serveRead(scope, service, contract.getClock, getClock(advance));
  serveWrite(scope, service, contract.advanceClock, advanceClock(advance));

  serveRead(scope, service, contract.getChaos, getChaos(service));
  serveWrite(scope, service, contract.putChaos, putChaos(service));
  serveWrite(scope, service, contract.createSampleEvent, createSampleEvent(service));

  for (const { endpoint, table } of recordLists)
    serveRead(scope, service, endpoint, listRecords(table));

  serveRead(scope, service, contract.listEventAttempts, listAttempts);
  serveRead(scope, service, contract.listRequests, listRequests);
  serveRead(scope, service, contract.listLedgerEntries, listEntries);
  serveRead(scope, service, contract.verifyLedger, verifyTenant(service));

  const moves = openReviewMoves(service);
  serveRead(scope, service, contract.listReview, listReview(moves));
  serve(scope, service, contract.reviewRecord, reviewRecord(moves), jobs.runDueJobs);
  serveRead(scope, service, contract.listLifecycles, listLifecycles);

  serveRead(scope, service, contract.getSettings, getSettings);
  serveWrite(scope, service, contract.putSettings, putSettings(service));
}
