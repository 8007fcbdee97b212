import { listEventAttempts } from './attempts.ts';
import { createSampleEvent, getChaos, putChaos } from './chaos.ts';
import { advanceClock, getClock } from './clock.ts';
import {
  createCredential,
  listCredentials,
  retireCredential,
  revokeTokens,
} from './credentials.ts';
import { listDisputes } from './disputes.ts';
import type { PortalEndpoint } from './endpoint.ts';
import { listLedgerEntries, verifyLedger } from './ledger.ts';
import { listLifecycles } from './lifecycles.ts';
import {
  listCustomerDocuments,
  listCustomers,
  listLegalTexts,
  listLoads,
  listPaymentRequests,
  listPayments,
  listRefunds,
  listSessions,
  listWithdrawals,
} from './lists.ts';
import { listRequests } from './requests.ts';
import { listReview, reviewRecord } from './review.ts';
import { getSettings, putSettings } from './settings.ts';
import { createTenant } from './tenants.ts';
import {
  createWebhookSecret,
  getWebhookEndpoint,
  listWebhookSecrets,
  putWebhookEndpoint,
  retireWebhookSecret,
} from './webhooks.ts';

/** Every operation of the portal's JSON, in the order of its reference (rules/operations#30). */
export const portalEndpoints = {
  getWebhookEndpoint,
  putWebhookEndpoint,
  listWebhookSecrets,
  createWebhookSecret,
  retireWebhookSecret,
  listCredentials,
  createCredential,
  retireCredential,
  revokeTokens,
  getClock,
  advanceClock,
  getChaos,
  putChaos,
  createSampleEvent,
  listCustomers,
  listCustomerDocuments,
  listLegalTexts,
  listPayments,
  listLoads,
  listWithdrawals,
  listRefunds,
  listPaymentRequests,
  listSessions,
  listDisputes,
  listEventAttempts,
  listRequests,
  listLedgerEntries,
  verifyLedger,
  listReview,
  reviewRecord,
  listLifecycles,
  getSettings,
  putSettings,
  createTenant,
} as const satisfies Record<string, PortalEndpoint>;

export type PortalEndpointId = keyof typeof portalEndpoints;
