import {
  type PortalEndpointId,
  portalEndpoints,
} from '@tenant-payments/backoffice/contract/catalog.ts';
import type { PortalEndpoint, StepUpBy } from '@tenant-payments/backoffice/contract/endpoint.ts';
import { stepUpTables } from '@tenant-payments/backoffice/contract/step_up.ts';
import { settingOwners } from '../../core/setting_facts.ts';
import { PortalErrorEnvelope } from '../../resources/errors.ts';
import { portalExamples } from '../examples/portal.ts';
import { clientCredentials, contact, license, tags } from './openapi.ts';
import { components, paths } from './operations.ts';
import { type Json, schemaJson } from './schemas.ts';

const general = `The JSON behind the developer portal.

- Errors, lists, amounts and times are as in the Tenant API.
- In the sandbox the Tenant's access token opens all of it, with every role, so that a program needs
  no browser. In production it opens nothing here: a person signs in, or a program has an API key.
- \`x-may\` are the least roles that may call the operation. admin includes reviewer and support,
  reviewer support; owner includes developer, finance and reader, and these two include reader.
- \`x-step-up\`: it wants a passkey, or a sign-in at the provider, of the last five minutes.
  Of a setting or a reviewer's move: the table by which it does; a list names the fields whose change does.
  \`consent\`: a passkey of the caller signs the request, by the options of its \`/consent\`; who has none signs in anew.
- \`x-personal\`: the field of the reply that holds personal data. developer, finance and reviewer see it,
  and who includes them; others read \`[redacted]\` there.
- \`x-owners\` of \`putSettings\`: who sets each key, the platform (admin) or the Tenant (owner, developer);
  of \`fees\` each rule by its type. A key of somebody else is \`forbidden\`, with \`details.owner\`.
- A browser keeps a person's session in a cookie. Each write by cookie must come from this origin.
- Staff name the Tenant that they act on in the header \`Tenant-Id\`.
- A list gives the newest first; its cursor holds for the same list, filters and Tenant.`;

const tagDescriptions = {
  'Sign in': 'How a person signs in by passkey, steps up, and manages sessions and passkeys.',
  People: 'Members of the Tenant, staff of the platform, and invitations.',
  'Single sign-on': "Sign-in at the organization's own identity provider, by OpenID Connect.",
  Webhooks: 'The webhook endpoints, their signing secrets, and the delivery of each event.',
  Credentials: "The secrets of the Tenant's API client, and its access tokens.",
  'API keys': 'Keys with which programs call the portal, and how a device gets one.',
  Clock: 'The time of the Tenant, which the sandbox can move forward.',
  Chaos: "Faults and sample events that test the Tenant's code.",
  Sandbox:
    'The sample people, what has a fixed outcome, further Tenants, and how a sandbox begins anew.',
  Records: 'All records of the Tenant, page by page.',
  Requests: 'The requests of the API and their replies.',
  Ledger: 'The double-entry ledger and its check.',
  Review: "What waits for a reviewer, the reviewer's moves, and the desk of all Tenants.",
  Money: 'Unmatched money, reserves, sweeps of fees, adjustments, and statements of the bank.',
  Approvals: 'Acts that one person cannot do alone.',
  States: 'The state tables that the service runs.',
  Settings: 'Features, fees and limits of the Tenant, who sets them, and who changed them.',
  Audit: 'Who did what, each row bound to the one before by its hash.',
  Keys: 'The keys that QR codes are signed with.',
  Operations: 'How the deployment does: processes, queues, proofs of the ledgers, and alarms.',
  Tenants: 'Made, suspended and resumed by admins, each with the figures of its last day.',
} as const;

const tagOf: Readonly<Record<PortalEndpointId, keyof typeof tagDescriptions>> = {
  getSession: 'Sign in',
  signOut: 'Sign in',
  actIn: 'Sign in',
  beginSignIn: 'Sign in',
  finishSignIn: 'Sign in',
  signInByRecoveryCode: 'Sign in',
  signInByLink: 'Sign in',
  beginStepUp: 'Sign in',
  finishStepUp: 'Sign in',
  listMySessions: 'Sign in',
  endMySession: 'Sign in',
  endMyOtherSessions: 'Sign in',
  listMyPasskeys: 'Sign in',
  beginMyPasskey: 'Sign in',
  addMyPasskey: 'Sign in',
  nameMyPasskey: 'Sign in',
  removeMyPasskey: 'Sign in',
  replaceMyRecoveryCodes: 'Sign in',
  listMembers: 'People',
  putMember: 'People',
  removeMember: 'People',
  endMemberSessions: 'People',
  listInvitations: 'People',
  createInvitation: 'People',
  revokeInvitation: 'People',
  listStaff: 'People',
  putStaff: 'People',
  removeStaff: 'People',
  endStaffSessions: 'People',
  listStaffInvitations: 'People',
  createStaffInvitation: 'People',
  revokeStaffInvitation: 'People',
  openInvitation: 'People',
  beginAcceptance: 'People',
  finishAcceptance: 'People',
  listSupportConsents: 'People',
  giveSupportConsent: 'People',
  endSupportConsent: 'People',
  enterTenant: 'People',
  leaveTenant: 'People',
  getSingleSignOn: 'Single sign-on',
  putSingleSignOn: 'Single sign-on',
  removeSingleSignOn: 'Single sign-on',
  beginSingleSignOn: 'Single sign-on',
  beginSingleSignOnLink: 'Single sign-on',
  beginSingleSignOnStepUp: 'Single sign-on',
  getWebhookEndpoint: 'Webhooks',
  putWebhookEndpoint: 'Webhooks',
  listFurtherEndpoints: 'Webhooks',
  createFurtherEndpoint: 'Webhooks',
  changeFurtherEndpoint: 'Webhooks',
  deleteFurtherEndpoint: 'Webhooks',
  listWebhookSecrets: 'Webhooks',
  createWebhookSecret: 'Webhooks',
  retireWebhookSecret: 'Webhooks',
  listCredentials: 'Credentials',
  createCredential: 'Credentials',
  retireCredential: 'Credentials',
  revokeTokens: 'Credentials',
  listApiKeys: 'API keys',
  createApiKey: 'API keys',
  revokeThisApiKey: 'API keys',
  revokeApiKey: 'API keys',
  beginDeviceSignIn: 'API keys',
  pollDeviceSignIn: 'API keys',
  openDeviceSignIn: 'API keys',
  approveDeviceSignIn: 'API keys',
  denyDeviceSignIn: 'API keys',
  getClock: 'Clock',
  advanceClock: 'Clock',
  getChaos: 'Chaos',
  putChaos: 'Chaos',
  createSampleEvent: 'Chaos',
  getProductionRules: 'Sandbox',
  putProductionRules: 'Sandbox',
  getMagic: 'Sandbox',
  createSandboxTenant: 'Sandbox',
  resetSandbox: 'Sandbox',
  createTemporaryClient: 'Sandbox',
  createSignInLink: 'Sandbox',
  listCustomers: 'Records',
  listPayments: 'Records',
  listLoads: 'Records',
  listWithdrawals: 'Records',
  listRefunds: 'Records',
  listPaymentRequests: 'Records',
  listSessions: 'Records',
  listCustomerDocuments: 'Records',
  listLegalTexts: 'Records',
  listDocumentVersions: 'Records',
  listDisputes: 'Records',
  listDisputeLetters: 'Records',
  getDisputeLetter: 'Records',
  getRecord: 'Records',
  listPossibleMoves: 'Records',
  simulateMove: 'Records',
  searchRecords: 'Records',
  getOverview: 'Requests',
  openStream: 'Requests',
  listEvents: 'Webhooks',
  recoverEvents: 'Webhooks',
  resendEvent: 'Webhooks',
  countDeliveries: 'Webhooks',
  listEventTypes: 'Webhooks',
  getEventType: 'Webhooks',
  testWebhookEndpoint: 'Webhooks',
  listUpcoming: 'Clock',
  listClockJumps: 'Clock',
  listAccounts: 'Records',
  listLinkedAccounts: 'Records',
  listStatements: 'Records',
  listReconciliationReports: 'Records',
  getReconciliationDay: 'Ledger',
  listEventAttempts: 'Webhooks',
  listRequests: 'Requests',
  listLedgerEntries: 'Ledger',
  verifyLedger: 'Ledger',
  proveLedger: 'Ledger',
  listLedgerProofs: 'Ledger',
  listTenantProofs: 'Operations',
  getOperations: 'Operations',
  getKeysStatus: 'Operations',
  listAlarms: 'Operations',
  countAlarms: 'Operations',
  acknowledgeAlarm: 'Operations',
  listReview: 'Review',
  reviewRecord: 'Review',
  listDisputeBoard: 'Review',
  listDesk: 'Review',
  getCase: 'Review',
  takeCase: 'Review',
  releaseCase: 'Review',
  addCaseNote: 'Review',
  previewMove: 'Review',
  listUnmatchedMoney: 'Money',
  getUnmatchedMoney: 'Money',
  listReserves: 'Money',
  listFeeSweeps: 'Money',
  getWaitingFees: 'Money',
  listAdjustments: 'Money',
  listOwnBankAccounts: 'Money',
  proposeBankAccount: 'Money',
  putBankAccountInForce: 'Money',
  listBankStatements: 'Money',
  uploadBankStatement: 'Money',
  compareBankStatement: 'Money',
  getSandboxBankStatement: 'Money',
  listApprovals: 'Approvals',
  beginApprovalConsent: 'Approvals',
  createApproval: 'Approvals',
  approveApproval: 'Approvals',
  refuseApproval: 'Approvals',
  listPlatformApprovals: 'Approvals',
  beginPlatformApprovalConsent: 'Approvals',
  createPlatformApproval: 'Approvals',
  approvePlatformApproval: 'Approvals',
  refusePlatformApproval: 'Approvals',
  listLifecycles: 'States',
  getSettings: 'Settings',
  putSettings: 'Settings',
  uploadLogo: 'Settings',
  listSettingChanges: 'Settings',
  listAudit: 'Audit',
  listAccessRecords: 'Audit',
  getAuditProof: 'Audit',
  listQrKeys: 'Keys',
  revokeQrKey: 'Keys',
  listTenants: 'Tenants',
  getTenant: 'Tenants',
  createTenant: 'Tenants',
  suspendTenant: 'Tenants',
  resumeTenant: 'Tenants',
};

const stepUpOf = (by: StepUpBy): string | object =>
  by === 'by_consent' ? 'consent' : stepUpTables[by];

const beside = ({ id, key, may, stepUp, personal }: PortalEndpoint): Json => ({
  ...(key === undefined ? {} : { security: [{ operatorKey: [] }, { session: [] }] }),
  'x-may': may,
  ...(stepUp ? { 'x-step-up': stepUp === true || stepUpOf(stepUp) } : {}),
  ...(personal === undefined ? {} : { 'x-personal': personal }),
  ...(id === 'putSettings' ? { 'x-owners': settingOwners } : {}),
});

/**
 * The portal's JSON as OpenAPI 3.1 (rules/operations#30), made from the endpoints that the service
 * runs.
 */
export function portalDocument({ baseUrl }: { readonly baseUrl: string }): Json {
  const operations = {
    paths: paths<PortalEndpoint>({
      endpoints: portalEndpoints,
      tagOf,
      beside,
      examples: portalExamples,
    }),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portal JSON',
      version: '1.1',
      description: general,
      contact: contact(baseUrl),
      license,
    },
    servers: [{ url: baseUrl }],
    security: [{ oauth2: ['tenant'] }, { apiKey: [] }, { session: [] }],
    tags: tags(tagDescriptions),
    ...operations,
    components: {
      securitySchemes: {
        oauth2: clientCredentials(baseUrl),
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key `tpk_…` of a member or of the staff.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-tp',
          description: 'Set by sign-in; `tp` in a sandbox on plain http.',
        },
        operatorKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key in `DATA_DIR/operator.key`, which never leaves its machine.',
        },
      },
      ...components(operations, {
        schemas: { ErrorEnvelope: schemaJson(PortalErrorEnvelope, 'reply') },
      }),
    },
  };
}
