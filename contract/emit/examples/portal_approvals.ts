import type { Json } from '../openapi/schemas.ts';
import type { OperationExample } from './operation_example.ts';
import { at, ids } from './story.ts';

/** Examples of requests that wait for a second person, and of what one admin does to the platform. */

const adjustment: Json = { resource: 'accounts', move: 'adjust' };
const effect: Json = {
  postings: [{ from: 'tenant.reserve', to: `${ids.anaAccount}.available`, amount: 2500 }],
  changes: [],
};
const approval: Json = {
  id: ids.approval,
  object: 'approval',
  status: 'waiting',
  ...adjustment,
  record_id: ids.anaAccount,
  body: { amount: 2500 },
  note: 'The fee was charged twice.',
  amount: 2500,
  maker: 'person prs_EXAMPLE',
  first_approver: null,
  decided_by: null,
  decision_note: null,
  created_at: at('16:00:00'),
  lapses_at: '2026-03-09T16:00:00.000Z',
  decided_at: null,
  effect,
  changed: false,
  obstacle: null,
};
const credential: Json = { id: 'cGFzc2tleQ', type: 'public-key', response: {} };
const options: Json = { challenge: 'Y2hhbGxlbmdl', timeout: 120000, userVerification: 'required' };
const tenantId = '019cb0c4-5e00-7000-8000-0000000000b1';
const suspension: Json = { resource: 'tenants', move: 'suspend' };
const suspensionAsked: Json = {
  ...approval,
  ...suspension,
  record_id: tenantId,
  body: {},
  people: [],
  tenant_name: 'Maple Market',
  note: 'Its client secret was published.',
  amount: null,
  effect: {
    postings: [],
    changes: [{ object: 'tenant', id: tenantId, field: 'suspended', before: false, after: true }],
  },
};
/** The fields that decide a request. */
const decision = (status: string): Json => ({
  status,
  decided_by: 'person prs_OTHER',
  decided_at: at('16:30:00'),
});

export const approvalRecords: Readonly<Record<string, Json>> = {
  Approval: approval,
  PlatformApproval: suspensionAsked,
  QrKey: { id: '2026b', object: 'qr_key', signs: true, revoked_at: null },
  TenantState: { id: tenantId, object: 'tenant', suspended_at: null },
  ApprovalEffect: effect,
};

export const approvalRequests: Readonly<Record<string, OperationExample>> = {
  createApproval: {
    body: {
      ...adjustment,
      id: ids.anaAccount,
      amount: 2500,
      note: 'The fee was charged twice.',
    },
  },
  beginApprovalConsent: { path: { id: ids.approval }, reply: { options } },
  beginPlatformApprovalConsent: { path: { id: ids.approval }, reply: { options } },
  approveApproval: {
    path: { id: ids.approval },
    body: { note: 'The statement shows it.', credential },
    reply: { ...approval, ...decision('approved') },
  },
  refuseApproval: {
    path: { id: ids.approval },
    body: { note: 'It was charged once.' },
    reply: { ...approval, ...decision('refused') },
  },
  createPlatformApproval: {
    body: { ...suspension, id: tenantId, note: 'Its client secret was published.' },
    reply: suspensionAsked,
  },
  approvePlatformApproval: {
    path: { id: ids.approval },
    body: { note: 'The log shows it.', credential },
    reply: { ...suspensionAsked, ...decision('approved'), link: null },
  },
  refusePlatformApproval: {
    path: { id: ids.approval },
    body: { note: 'It was revoked.' },
    reply: { ...suspensionAsked, ...decision('refused') },
  },
  revokeQrKey: {
    path: { id: '2026a' },
    reply: { id: '2026a', object: 'qr_key', signs: false, revoked_at: at('16:00:00') },
  },
  suspendTenant: {
    path: { id: tenantId },
    body: { reason: 'Its client secret was published.' },
    reply: { id: tenantId, object: 'tenant', suspended_at: at('16:00:00') },
  },
  resumeTenant: { path: { id: tenantId } },
};
