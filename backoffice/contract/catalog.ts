import type { PortalEndpoint } from './endpoint.ts';
import { moneyEndpoints } from './money/catalog.ts';
import { listAccessRecords } from './operate/access_records.ts';
import { acknowledgeAlarm, countAlarms, listAlarms } from './operate/alarms.ts';
import { approvalEndpoints } from './operate/approvals.ts';
import { getAttention, getDeskSummary, getPlatformAttention } from './operate/attention.ts';
import { getAuditProof, listAudit, listAuditPeople, listSettingChanges } from './operate/audit.ts';
import { beginApprovalConsent, beginPlatformApprovalConsent } from './operate/consents.ts';
import { listCustomerCases } from './operate/customer_cases.ts';
import {
  addCaseNote,
  getCase,
  listDesk,
  previewMove,
  releaseCase,
  takeCase,
} from './operate/desk.ts';
import { listDisputeBoard } from './operate/dispute_board.ts';
import { getDisputeLetter, listDisputeLetters } from './operate/dispute_letters.ts';
import { listDisputes } from './operate/disputes.ts';
import { getIdentity, openIdentity, openIdentityDocument } from './operate/identity.ts';
import { getKeysStatus } from './operate/keys.ts';
import { listLedgerProofs, listTenantProofs } from './operate/ledger_proofs.ts';
import { getOperations } from './operate/operations.ts';
import {
  approvePlatformApproval,
  createPlatformApproval,
  listPlatformApprovals,
  refusePlatformApproval,
} from './operate/platform_approvals.ts';
import { listQrKeys, revokeQrKey } from './operate/qr_keys.ts';
import { listReview, reviewRecord } from './operate/review.ts';
import { getTenant, listTenants } from './operate/tenant_figures.ts';
import { createTenant, resumeTenant, suspendTenant } from './operate/tenants.ts';
import { createApiKey, listApiKeys, revokeApiKey, revokeThisApiKey } from './people/api_keys.ts';
import {
  approveDeviceSignIn,
  beginDeviceSignIn,
  denyDeviceSignIn,
  openDeviceSignIn,
  pollDeviceSignIn,
} from './people/device.ts';
import {
  beginAcceptance,
  createInvitation,
  createStaffInvitation,
  finishAcceptance,
  listInvitations,
  listStaffInvitations,
  openInvitation,
  revokeInvitation,
  revokeStaffInvitation,
} from './people/invitations.ts';
import {
  endMemberSessions,
  endStaffSessions,
  listMembers,
  listStaff,
  putMember,
  putStaff,
  removeMember,
  removeStaff,
} from './people/members.ts';
import {
  addMyPasskey,
  beginMyPasskey,
  endMyOtherSessions,
  endMySession,
  listMyPasskeys,
  listMySessions,
  nameMyPasskey,
  removeMyPasskey,
  replaceMyRecoveryCodes,
} from './people/my.ts';
import {
  actIn,
  beginSignIn,
  beginStepUp,
  finishSignIn,
  finishStepUp,
  getSession,
  signInByLink,
  signInByRecoveryCode,
  signOut,
} from './people/session.ts';
import {
  beginSingleSignOn,
  beginSingleSignOnLink,
  beginSingleSignOnStepUp,
  getSingleSignOn,
  putSingleSignOn,
  removeSingleSignOn,
} from './people/single_sign_on.ts';
import {
  endSupportConsent,
  enterTenant,
  giveSupportConsent,
  leaveTenant,
  listSupportConsents,
} from './people/support.ts';
import { listDocumentVersions } from './records/document_versions.ts';
import { listFaces } from './records/faces.ts';
import { listLedgerEntries, proveLedger, verifyLedger } from './records/ledger.ts';
import { listLifecycles } from './records/lifecycles.ts';
import {
  listAccounts,
  listCustomerDocuments,
  listCustomers,
  listLegalTexts,
  listLinkedAccounts,
  listLoads,
  listPaymentRequests,
  listPayments,
  listReconciliationReports,
  listRefunds,
  listSessions,
  listStatements,
  listWithdrawals,
} from './records/lists.ts';
import { getNotice, listCustomerMessages } from './records/messages.ts';
import { getReconciliationDay } from './records/reconciliation.ts';
import { getRecord } from './records/records.ts';
import { searchRecords, searchTenants } from './records/search.ts';
import { listPossibleMoves, simulateMove } from './records/simulations.ts';
import { createSampleEvent, getChaos, putChaos } from './sandbox/chaos.ts';
import { advanceClock, getClock, listClockJumps, listUpcoming } from './sandbox/clock.ts';
import { getProductionRules, putProductionRules } from './sandbox/production_rules.ts';
import {
  createSandboxTenant,
  createSignInLink,
  createTemporaryClient,
  getMagic,
  resetSandbox,
} from './sandbox/sandbox.ts';
import { getConsumerTerms } from './settings/consumer_terms.ts';
import {
  createCredential,
  listCredentials,
  retireCredential,
  revokeTokens,
} from './settings/credentials.ts';
import { uploadLogo } from './settings/logos.ts';
import { getSettings, putSettings } from './settings/settings.ts';
import { listEventAttempts } from './traffic/attempts.ts';
import {
  countDeliveries,
  recoverEvents,
  resendEvent,
  testWebhookEndpoint,
} from './traffic/deliveries.ts';
import { getEventType, listEventTypes } from './traffic/event_types.ts';
import { listEvents } from './traffic/events.ts';
import {
  changeFurtherEndpoint,
  createFurtherEndpoint,
  deleteFurtherEndpoint,
  listFurtherEndpoints,
} from './traffic/further_endpoints.ts';
import { getOverview } from './traffic/overview.ts';
import { listRequests } from './traffic/requests.ts';
import { openStream } from './traffic/stream.ts';
import {
  createWebhookSecret,
  getWebhookEndpoint,
  listWebhookSecrets,
  putWebhookEndpoint,
  retireWebhookSecret,
} from './traffic/webhooks.ts';

/** Every operation of the portal's JSON, in the order of its reference (rules/operations#30). */
export const portalEndpoints = {
  getSession,
  signOut,
  actIn,
  beginSignIn,
  finishSignIn,
  signInByRecoveryCode,
  signInByLink,
  beginStepUp,
  finishStepUp,
  listMySessions,
  endMySession,
  endMyOtherSessions,
  listMyPasskeys,
  beginMyPasskey,
  addMyPasskey,
  nameMyPasskey,
  removeMyPasskey,
  replaceMyRecoveryCodes,
  listMembers,
  putMember,
  endMemberSessions,
  removeMember,
  listInvitations,
  createInvitation,
  revokeInvitation,
  listStaff,
  putStaff,
  endStaffSessions,
  removeStaff,
  listStaffInvitations,
  createStaffInvitation,
  revokeStaffInvitation,
  openInvitation,
  beginAcceptance,
  finishAcceptance,
  listSupportConsents,
  giveSupportConsent,
  endSupportConsent,
  enterTenant,
  leaveTenant,
  getSingleSignOn,
  putSingleSignOn,
  removeSingleSignOn,
  beginSingleSignOn,
  beginSingleSignOnLink,
  beginSingleSignOnStepUp,
  getWebhookEndpoint,
  putWebhookEndpoint,
  testWebhookEndpoint,
  listFurtherEndpoints,
  createFurtherEndpoint,
  changeFurtherEndpoint,
  deleteFurtherEndpoint,
  listWebhookSecrets,
  createWebhookSecret,
  retireWebhookSecret,
  listCredentials,
  createCredential,
  retireCredential,
  revokeTokens,
  listApiKeys,
  createApiKey,
  revokeThisApiKey,
  revokeApiKey,
  beginDeviceSignIn,
  pollDeviceSignIn,
  openDeviceSignIn,
  approveDeviceSignIn,
  denyDeviceSignIn,
  getClock,
  advanceClock,
  listUpcoming,
  listClockJumps,
  getChaos,
  putChaos,
  getProductionRules,
  putProductionRules,
  createSampleEvent,
  getMagic,
  createSandboxTenant,
  resetSandbox,
  createTemporaryClient,
  createSignInLink,
  listCustomers,
  listCustomerDocuments,
  listCustomerMessages,
  getNotice,
  listLegalTexts,
  listDocumentVersions,
  listPayments,
  listLoads,
  listWithdrawals,
  listRefunds,
  listPaymentRequests,
  listSessions,
  listAccounts,
  listLinkedAccounts,
  listStatements,
  listReconciliationReports,
  getReconciliationDay,
  listDisputes,
  listDisputeLetters,
  getDisputeLetter,
  getOverview,
  openStream,
  getRecord,
  listPossibleMoves,
  simulateMove,
  searchRecords,
  searchTenants,
  listFaces,
  listEvents,
  recoverEvents,
  resendEvent,
  listEventAttempts,
  countDeliveries,
  listEventTypes,
  getEventType,
  listRequests,
  listLedgerEntries,
  verifyLedger,
  proveLedger,
  listLedgerProofs,
  listTenantProofs,
  getAttention,
  getPlatformAttention,
  getDeskSummary,
  getOperations,
  getKeysStatus,
  listAlarms,
  countAlarms,
  acknowledgeAlarm,
  listReview,
  reviewRecord,
  listDisputeBoard,
  listDesk,
  getCase,
  listCustomerCases,
  takeCase,
  releaseCase,
  getIdentity,
  openIdentity,
  openIdentityDocument,
  addCaseNote,
  previewMove,
  ...moneyEndpoints,
  ...approvalEndpoints,
  beginApprovalConsent,
  beginPlatformApprovalConsent,
  listPlatformApprovals,
  createPlatformApproval,
  approvePlatformApproval,
  refusePlatformApproval,
  listLifecycles,
  getConsumerTerms,
  getSettings,
  putSettings,
  uploadLogo,
  listSettingChanges,
  listAudit,
  listAuditPeople,
  listAccessRecords,
  getAuditProof,
  listQrKeys,
  revokeQrKey,
  listTenants,
  getTenant,
  createTenant,
  resumeTenant,
  suspendTenant,
} as const satisfies Record<string, PortalEndpoint>;

export type PortalEndpointId = keyof typeof portalEndpoints;
