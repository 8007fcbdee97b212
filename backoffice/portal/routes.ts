import { serve, serveHandler, servePlatform } from '@tenant-payments/service/http/serve/serve.ts';
import type { Advance } from '@tenant-payments/service/jobs/advance.ts';
import type { JobLoop } from '@tenant-payments/service/jobs/job_loop.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import { listDocumentVersions } from '@tenant-payments/service/resources/customers/documents/progress.ts';
import {
  listCustomerDocuments,
  listLegalTexts,
} from '@tenant-payments/service/resources/customers/documents/read.ts';
import { listCustomerMessages } from '@tenant-payments/service/resources/customers/messages/read.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  addClientSecret,
  retireClientSecret,
  revokeAccessTokens,
} from '@tenant-payments/service/tenants/client_secrets.ts';
import type { Dispatcher } from '@tenant-payments/service/webhooks/dispatch/dispatcher.ts';
import { setWebhookEndpoint } from '@tenant-payments/service/webhooks/endpoint.ts';
import {
  addWebhookSecret,
  retireWebhookSecret,
} from '@tenant-payments/service/webhooks/secrets.ts';
import type { FastifyInstance } from 'fastify';
import { listAccessRecords } from '../access/list.ts';
import { openAccessNotes } from '../access/note.ts';
import { noteReads } from '../access/reads.ts';
import { openStepUp } from '../approvals/step_up.ts';
import { listAudit } from '../audit/list.ts';
import { listAuditPeople } from '../audit/names.ts';
import { getAuditProof } from '../audit/proof.ts';
import { auditRefusals } from '../audit/refusals.ts';
import { listSettingChanges } from '../audit/settings_history.ts';
import { portalEndpoints as contract } from '../contract/catalog.ts';
import { alsoAsFile } from '../files/list_file.ts';
import { getNotice } from '../letters/notice.ts';
import { byApiKey } from '../people/api_keys/caller.ts';
import { serveApiKeys } from '../people/api_keys/routes.ts';
import { bySession } from '../people/caller.ts';
import { openNotices } from '../people/notices/notices.ts';
import { registerPeople } from '../people/routes.ts';
import { openWhereabouts } from '../people/sessions/moved.ts';
import { guardPortal } from '../serve/guard.ts';
import { serveRead } from '../serve/read.ts';
import { getConsumerTerms } from '../settings/consumer_terms.ts';
import { listCredentials } from '../settings/credentials.ts';
import { forgetOtherLogos, uploadLogo } from '../settings/logos.ts';
import { getSettings, putSettings } from '../settings/settings.ts';
import { getWebhookEndpoint } from '../settings/webhook_endpoint.ts';
import { listWebhookSecrets } from '../settings/webhook_secrets.ts';
import { byOperatorKey } from '../tenants/operator.ts';
import { noteClientSecret, noteRotation, type Sample } from '../tenants/sandbox_file.ts';
import { serveAttention } from './attention/serve.ts';
import { serveFurtherEndpoints } from './deliveries/serve_further.ts';
import { entryFile } from './ledger/file.ts';
import { listEntries, verifyTenant } from './ledger/ledger.ts';
import { serveProof } from './ledger/prove_ledger.ts';
import { serveMoney } from './money/serve.ts';
import { serveOperations } from './operations/serve.ts';
import { listQrKeys, revokeKey } from './qr_keys.ts';
import { listLifecycles } from './records/lifecycles.ts';
import { listRecords, recordLists } from './records/lists.ts';
import { serveSandbox } from './sandbox/serve.ts';
import { tellPortalEvents } from './security_events.ts';
import { serveActivity } from './serve_activity.ts';
import { serveReview } from './serve_review.ts';
import { serveTenants } from './tenants/serve.ts';

export interface PortalParts {
  readonly advance: Advance;
  readonly dispatcher: Dispatcher;
  readonly jobs: JobLoop;
  readonly messages: Messages;
  /** The sample that a new sandbox begins with; null in production. */
  readonly sample: Sample | null;
  /** Null: only people make Tenants. */
  readonly operatorKey: string | null;
  /** False: this process drains. */
  readonly isReady: () => boolean;
}

/** Registers the settings of a Tenant, and who has done what. */
function registerSettings(scope: FastifyInstance, service: Service): void {
  serveHandler(scope, service, contract.getConsumerTerms, getConsumerTerms);
  serveHandler(scope, service, contract.getSettings, getSettings);
  serve(scope, service, contract.putSettings, putSettings(service));
  serve(scope, service, contract.uploadLogo, uploadLogo(service), forgetOtherLogos(service));
  serveHandler(scope, service, contract.listQrKeys, listQrKeys(service));
  servePlatform(scope, service, contract.revokeQrKey, revokeKey(service));
  serveHandler(scope, service, contract.listSettingChanges, listSettingChanges);
  serveHandler(scope, service, contract.listAudit, listAudit(openAccessNotes(service)));
  serveHandler(scope, service, contract.listAuditPeople, listAuditPeople);
  serveHandler(scope, service, contract.getAuditProof, getAuditProof);
  serveHandler(scope, service, contract.listAccessRecords, listAccessRecords);
}

/** Registers the portal's JSON (rules/operations#30), every route written out. */
export function registerPortal(
  scope: FastifyInstance,
  service: Service,
  { advance, dispatcher, jobs, messages, isReady, sample, operatorKey }: PortalParts,
): void {
  const ways = [
    bySession(service, openWhereabouts(service, openNotices(service, messages))),
    byApiKey(service),
    byOperatorKey(service, operatorKey),
  ];
  guardPortal(scope, service, ways, openStepUp(service));
  tellPortalEvents(scope, service.log);
  auditRefusals(scope, service);
  noteReads(scope, openAccessNotes(service));
  registerPeople(scope, service, messages);
  serveHandler(scope, service, contract.getWebhookEndpoint, getWebhookEndpoint);
  serve(scope, service, contract.putWebhookEndpoint, setWebhookEndpoint, (tenantId, body) =>
    dispatcher.delivers(tenantId, JSON.parse(body).enabled),
  );

  const forgetSecrets = (tenantId: string) => {
    dispatcher.forgetSecrets(tenantId);
    return noteRotation(service, tenantId);
  };
  serveHandler(scope, service, contract.listWebhookSecrets, listWebhookSecrets(service));
  serve(
    scope,
    service,
    contract.createWebhookSecret,
    addWebhookSecret(service.vault),
    forgetSecrets,
  );
  serve(scope, service, contract.retireWebhookSecret, retireWebhookSecret, forgetSecrets);
  serveFurtherEndpoints(scope, service, dispatcher);

  serveHandler(scope, service, contract.listCredentials, listCredentials);
  serve(scope, service, contract.createCredential, addClientSecret, (_, body) =>
    noteClientSecret(service.config, JSON.parse(body)),
  );
  serve(scope, service, contract.retireCredential, retireClientSecret);
  serve(scope, service, contract.revokeTokens, revokeAccessTokens);

  serveApiKeys(scope, service, messages);

  serveSandbox(scope, service, { advance, dispatcher, sample });

  for (const list of recordLists) serveRead(scope, service, list.endpoint, listRecords(list));

  serveHandler(scope, service, contract.listCustomerDocuments, listCustomerDocuments);
  serveHandler(scope, service, contract.listCustomerMessages, listCustomerMessages);
  serveHandler(scope, service, contract.getNotice, getNotice(service));
  serveHandler(scope, service, contract.listLegalTexts, listLegalTexts);
  serveHandler(scope, service, contract.listDocumentVersions, listDocumentVersions);
  serveActivity(scope, service, { dispatcher, jobs, isReady });
  serveHandler(scope, service, contract.listLedgerEntries, alsoAsFile(listEntries, entryFile));
  serveHandler(scope, service, contract.verifyLedger, verifyTenant(service));
  serveProof(scope, service);
  serveOperations(scope, service);
  serveAttention(scope, service);

  serveReview(scope, service, jobs, messages);
  serveMoney(scope, service);
  serveHandler(scope, service, contract.listLifecycles, listLifecycles);

  serveTenants(scope, service);
  registerSettings(scope, service);
}
