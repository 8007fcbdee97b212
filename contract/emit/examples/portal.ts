import { defaultSettings } from '../../core/settings.ts';
import type { Json } from '../openapi/schemas.ts';
import type { OperationExample } from './operation_example.ts';
import {
  accessRecord,
  apiKey,
  auditPerson,
  auditProof,
  auditRow,
  deviceExamples,
  deviceRequests,
  settingChange,
  usedKey,
} from './portal_access.ts';
import { approvalRecords, approvalRequests } from './portal_approvals.ts';
import { deskRecords, deskRequests } from './portal_desk.ts';
import { moneyRecords, moneyRequests } from './portal_money.ts';
import { operationsExamples, operationsRequests } from './portal_operations.ts';
import { portalPeopleExamples, portalPeopleRequests } from './portal_people.ts';
import { sandboxExamples } from './portal_sandbox.ts';
import { tenantExamples, tenantRequests } from './portal_tenants.ts';
import {
  apiRequest,
  attempt,
  deliveryCounts,
  eventTypePage,
  eventTypeRow,
  face,
  overview,
  portalEvent,
  possibleMove,
  recordPage,
  searchHit,
  simulatedMove,
} from './portal_traffic.ts';
import { shownExamples, storyRecords } from './records.ts';
import { at, ids, tokenOf } from './story.ts';
import { termChange } from './terms.ts';

const noticeId = 'ntc_019cb0c45e00700080000000000000c1';

const settings: Json = defaultSettings('Sample Tenant');
const secretId = '019cb0c4-5e00-7000-8000-0000000000a1';
const credentialId = 'cred_019cb0c45e00700080000000000000a2';
const entryId = '019cb0c4-5e00-7000-8000-0000000000a2';
const endpoint = { url: 'https://shop.example.com/webhooks', enabled: true };
const furtherId = 'whe_019cb0c45e00700080000000000000c1';
const furtherGiven = {
  name: 'Accounting',
  url: 'https://books.example.com/webhooks',
  types: ['payment.completed', 'refund.completed'],
};
const further = {
  id: furtherId,
  ...furtherGiven,
  enabled: true,
  created_at: at('14:00:00'),
  updated_at: at('14:00:00'),
};

const entry: Json = {
  id: entryId,
  account_id: ids.anaAccount,
  pocket: 'pending_outgoing',
  delta: -1250,
  number: 4,
  balance_after: 0,
  ledger_after: 8750,
  source_type: 'payment',
  source_id: ids.payment,
  step: 'payment_completed',
  transaction_type: 'payment_sent',
  amount: 1250,
  fee_amount: 0,
  created_at: at('15:05:20'),
};

/** A case without deadlines, borne by the merchant: Regulation E does not apply. */
const disputeCase: Json = {
  ...storyRecords.dispute,
  late_notice: false,
  late_notice_days: 0,
  forwarded_late: false,
  forwarded_late_days: 0,
  suggested_type: null,
  liability_limited: false,
  extenuating: false,
  finding_required: false,
  reasserted_of: null,
  reopened_at: null,
  papers_given_at: null,
  customer_bears_amount: null,
  liability_tier: null,
  disputed_amount: 850,
  award_amount: null,
  taken_back_amount: 0,
  earmarked_amount: 850,
  liability: 'merchant',
  linked_dispute_id: null,
  deadlines: {
    provisional_credit: null,
    result: null,
    credit_notice: null,
    correction: null,
    result_notice: null,
    reversal: null,
  },
};

const waits: Json = {
  ...storyRecords.linked_account,
  status: 'held_for_review',
  capabilities: { withdrawal: false, load: false, pay_by_bank: false },
  institution_id: 'ins_3',
  holder_match: { customer_name: 'Ana Reyes', holders: ['A REYES'], score: 80 },
};

const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const legalText: Json = {
  object: 'legal_text',
  document_type: 'privacy_notice',
  version: '2026-01',
  title: { en: 'Privacy notice', es: 'Aviso de privacidad' },
  text: {
    en: '## What we collect\n\nYour name, email address and mobile number.',
    es: '## Qué datos recogemos\n\nSu nombre, su correo electrónico y su número de celular.',
  },
  published_at: at('14:00:00'),
};

/** The portal's own records, by schema name. */
export const portalRecordExamples: Readonly<Record<string, Json>> = {
  ...portalPeopleExamples,
  ...deviceExamples,
  ...sandboxExamples,
  WebhookEndpoint: endpoint,
  FurtherEndpoint: { ...further, last_success_at: at('15:05:21'), failure_streak: 0 },
  NewFurtherEndpoint: { ...further, secret: tokenOf('whsec') },
  WebhookSecret: { id: secretId, created_at: at('14:00:00'), retired_at: null },
  NewWebhookSecret: { id: secretId, secret: tokenOf('whsec'), created_at: at('14:00:00') },
  Credential: {
    id: credentialId,
    client_id: 'client_EXAMPLE',
    created_at: at('14:00:00'),
    retired_at: null,
    last_used_at: at('15:00:00'),
  },
  NewCredential: {
    id: credentialId,
    client_id: 'client_EXAMPLE',
    client_secret: tokenOf('cs'),
    created_at: at('14:00:00'),
  },
  RevokedTokens: { revoked: 3 },
  ApiKey: usedKey,
  NewApiKey: { ...apiKey, key: tokenOf('tpk') },
  Clock: { now: at('16:00:00'), real_now: at('15:00:00'), fired: 2, pending: 0 },
  Attempt: attempt,
  ApiRequest: apiRequest,
  PortalEvent: portalEvent,
  Overview: overview,
  StreamMessage: {
    id: `1772463921000000.requests.${ids.request}`,
    event: 'requests',
    data: apiRequest,
  },
  RecordPage: recordPage,
  PossibleMove: possibleMove,
  SimulatedMove: simulatedMove,
  Recovery: { dry_run: false, events: 12, has_more: false },
  TestDelivery: { event_id: ids.event, attempt },
  DeliveryCounts: deliveryCounts,
  EventTypeRow: eventTypeRow,
  EventTypePage: eventTypePage,
  Upcoming: {
    kind: 'job',
    name: 'payment_request_expiry',
    does: 'expires an open request',
    record_id: ids.paymentRequest,
    at: at('16:15:00'),
  },
  SearchHit: searchHit,
  TenantHit: {
    ...searchHit,
    tenant_id: '019cb0c4-5e00-7000-8000-0000000000b1',
    tenant_name: 'Sample Tenant',
  },
  Face: face,
  Entry: entry,
  DisputeCase: disputeCase,
  BoardDispute: {
    object: 'board_dispute',
    tenant_id: '019cb0c4-5e00-7000-8000-0000000000b1',
    tenant_name: 'Sample Tenant',
    now: at('16:00:00'),
    next: null,
    late: false,
    record: disputeCase,
  },
  DisputeLetter: {
    kind: 'provisional_credit',
    title: 'Notice of provisional credit',
    available: true,
    reason: null,
    date: '2026-03-02',
    download_url: `https://payments.example.com/downloads/${tokenOf('dl')}`,
    download_url_expires_at: at('16:15:00'),
  },
  ClosingAccount: {
    ...storyRecords.account,
    status: 'closing',
    waits_for: 'withdrawal_hold',
    waits_until: at('18:00:00'),
  },
  LegalText: legalText,
  DocumentInForce: {
    object: 'document_in_force',
    document_type: 'privacy_notice',
    version: '2026-03',
    title: { en: 'Privacy notice', es: 'Aviso de privacidad' },
    published_at: at('14:00:00'),
    effective_at: '2026-03-24T04:00:00.000Z',
    security_reason: null,
    sample: false,
    lacks: [],
    latest: '2026-03',
    must_accept: 1_240,
    accepted: 310,
    to_accept: 930,
    not_asked: 0,
    spread_at: at('14:02:00'),
  },
  CustomerDocument: {
    ...storyRecords.document_acceptance,
    effective_at: null,
    accepted_in: 'en',
    sample_opened_at: null,
    paper_since: null,
    sha256: { en: digest, es: digest },
    legal_text: legalText,
  },
  LedgerProof: { ok: true, checked: 1284, violations: [] },
  ReviewItem: {
    object: 'review_item',
    resource: 'linked-accounts',
    id: ids.linkedAccount,
    waiting_since: at('15:03:05'),
    moves: ['verify', 'reject'],
    record: waits,
  },
  ReviewedRecord: storyRecords.linked_account,
  LifecycleTable: {
    resource: 'load',
    states: ['requires_confirmation', 'processing', 'settled', 'failed'],
    moves: [
      {
        name: 'settle',
        from: ['processing'],
        to: 'settled',
        by: ['bank'],
        event: 'load.settled',
        posts: ['load_settled'],
        simulate: 'load.settled',
      },
    ],
  },
  ...approvalRecords,
  ...tenantExamples,
  ...deskRecords,
  ...operationsExamples,
  ...moneyRecords,
  Settings: settings,
  SettingChange: settingChange,
  ConsumerTerms: {
    object: 'consumer_terms',
    consumers: 1_240,
    effective_at: '2026-03-24T04:00:00.000Z',
    changes: [termChange],
  },
  TermChange: termChange,
  AccessRecord: accessRecord,
  AuditPerson: auditPerson,
  AuditRow: auditRow,
  AuditProof: auditProof,
};

/** Request examples of the portal's operations, by operation id. */
export const portalExamples: Readonly<Record<string, OperationExample>> = {
  ...portalPeopleRequests,
  ...deviceRequests,
  ...approvalRequests,
  ...tenantRequests,
  ...deskRequests,
  ...operationsRequests,
  ...moneyRequests,
  putWebhookEndpoint: { body: endpoint },
  createFurtherEndpoint: { body: furtherGiven },
  createWebhookSecret: { body: {} },
  changeFurtherEndpoint: {
    path: { id: furtherId },
    body: { enabled: false },
    reply: { ...further, enabled: false, updated_at: at('16:00:00') },
  },
  deleteFurtherEndpoint: {
    path: { id: furtherId },
    reply: { ...further, enabled: false, updated_at: at('16:00:00') },
  },
  retireWebhookSecret: {
    path: { id: secretId },
    reply: { id: secretId, created_at: at('14:00:00'), retired_at: at('16:00:00') },
  },
  retireCredential: {
    path: { id: credentialId },
    reply: {
      id: credentialId,
      client_id: 'client_EXAMPLE',
      created_at: at('14:00:00'),
      retired_at: at('16:00:00'),
      last_used_at: at('15:00:00'),
    },
  },
  createApiKey: {
    body: { name: 'Nightly reports', roles: ['finance'], expires_at: '2026-09-01T00:00:00Z' },
  },
  revokeApiKey: {
    path: { id: '019cb0c4-5e00-7000-8000-0000000000a3' },
    reply: { ...usedKey, status: 'revoked', revoked_at: at('16:00:00') },
  },
  revokeThisApiKey: { reply: { ...usedKey, status: 'revoked', revoked_at: at('16:00:00') } },
  advanceClock: { body: { seconds: 3600 } },
  putChaos: { body: { duplicate: 0.2, fail_first_attempt: 0.5, ends_at: at('16:00:00') } },
  putProductionRules: { body: { enabled: true } },
  createSandboxTenant: { body: { name: 'Checkout tests' } },
  resetSandbox: { body: { name: 'Sample Tenant' } },
  createSignInLink: { body: { client_id: 'cl_7d1f0b6a9c3e48d2a5b7c9e1f3a5d7b9' } },
  createSampleEvent: { body: { type: 'payment.completed' }, reply: shownExamples.Event },
  listDisputeLetters: { path: { id: ids.dispute } },
  getDisputeLetter: { path: { id: ids.dispute, kind: 'provisional_credit' } },
  listCustomerDocuments: { path: { id: ids.ana }, query: { include: 'superseded' } },
  getNotice: {
    path: { id: noticeId },
    reply: {
      object: 'notice_words',
      notice: {
        object: 'notice',
        id: noticeId,
        customer_id: ids.ana,
        kind: 'dispute_letter',
        detail: 'result',
        source_id: ids.dispute,
        status: 'sent',
        task_reason: null,
        created_at: at('15:30:00'),
        sent_at: at('15:30:01'),
        task_at: null,
        done_at: null,
        done_note: null,
      },
      said: {
        to: 'ana@example.com',
        subject: 'Notice of denial',
        text: 'Dear Ana Rivera, ...',
        html: '<!doctype html>...',
      },
    },
  },
  listCustomerMessages: {
    path: { id: ids.ana },
    reply: {
      object: 'list',
      data: [
        {
          object: 'customer_message',
          id: '019cb0c4-5e00-7000-8000-0000000000c1',
          customer_id: ids.ana,
          template: 'pin_changed',
          channel: 'email',
          to: 'a•••@example.com',
          locale: null,
          state: 'sent',
          reason: null,
          created_at: at('15:30:00'),
          sent_at: at('15:30:01'),
          ended_at: null,
        },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
  listLegalTexts: { query: { document_type: 'privacy_notice' } },
  resendEvent: { path: { id: ids.event }, body: {} },
  getEventType: { path: { type: 'payment.canceled' } },
  recoverEvents: { body: { since: at('12:00:00') } },
  testWebhookEndpoint: { body: { type: 'payment.completed' } },
  getRecord: { path: { id: ids.payment } },
  listPossibleMoves: { path: { id: ids.payment } },
  simulateMove: {
    path: { event: 'session.completed' },
    body: { object_id: ids.payment, failure_code: null },
  },
  openStream: { query: { types: 'requests,events' } },
  searchRecords: { query: { q: 'order-1042' } },
  searchTenants: { query: { q: 'ana lo' } },
  listFaces: { query: { ids: ids.payment } },
  listDisputeBoard: { query: { limit: 25 } },
  listEvents: { query: { delivery_status: 'failed' } },
  listEventAttempts: { path: { id: ids.event } },
  listRequests: { query: { request_id: ids.request } },
  listLedgerEntries: { query: { account_id: ids.anaAccount } },
  getReconciliationDay: { path: { date: '2026-03-02' } },
  reviewRecord: {
    path: { resource: 'linked-accounts', id: ids.linkedAccount, move: 'verify' },
    body: { note: 'The statement shows the same name.' },
  },
  listSettingChanges: { query: { key: 'confirmation_grace_seconds' } },
  listAudit: { query: { act: 'putSettings' } },
  listAuditPeople: { query: { q: 'ruth' } },
  listAccessRecords: { query: { acted_as: 'staff' } },
  getAuditProof: { query: { scope: 'tenant' } },
  putSettings: { body: { confirmation_grace_seconds: 0 } },
};
