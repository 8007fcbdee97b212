import type { PortalCalls, PortalRecords, Shown } from './operation_example.ts';
import { at, credential, ids, options, tenant } from './story.ts';

/** Examples of requests that wait for a second person, and of what one admin does to the platform. */

const { tenant_id: tenantId, tenant_name } = tenant;
const path = { id: ids.approval };
const adjustment = { resource: 'accounts', move: 'adjust' } as const;
const suspension = { resource: 'tenants', move: 'suspend' } as const;
const published = 'Its client secret was published.';
const chargedTwice = 'The fee was charged twice.';

const effect: Shown<'ApprovalEffect'> = {
  postings: [{ from: 'tenant.reserve', to: `${ids.anaAccount}.available`, amount: 2500 }],
  changes: [],
};
const approval: Shown<'Approval'> = {
  id: ids.approval,
  object: 'approval',
  status: 'waiting',
  ...adjustment,
  record_id: ids.anaAccount,
  body: { amount: 2500 },
  note: chargedTwice,
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
const suspensionAsked: Shown<'PlatformApproval'> = {
  ...approval,
  ...suspension,
  record_id: tenantId,
  body: {},
  people: [],
  tenant_name,
  note: published,
  amount: null,
  effect: {
    postings: [],
    changes: [{ object: 'tenant', id: tenantId, field: 'suspended', before: false, after: true }],
  },
};
/** The fields that decide a request. */
const decision = (status: Shown<'Approval'>['status']) => ({
  status,
  decided_by: 'person prs_OTHER',
  decided_at: at('16:30:00'),
});

export const approvalRecords: PortalRecords = {
  Approval: approval,
  PlatformApproval: suspensionAsked,
  QrKey: { id: '2026b', object: 'qr_key', signs: true, revoked_at: null },
  TenantState: { id: tenantId, object: 'tenant', suspended_at: null },
  ApprovalEffect: effect,
};

export const approvalCalls: PortalCalls = {
  createApproval: {
    body: { ...adjustment, id: ids.anaAccount, amount: 2500, note: chargedTwice },
  },
  beginApprovalConsent: { path, reply: { options } },
  beginPlatformApprovalConsent: { path, reply: { options } },
  approveApproval: {
    path,
    body: { note: 'The statement shows it.', credential },
    reply: { ...approval, ...decision('approved') },
  },
  refuseApproval: {
    path,
    body: { note: 'It was charged once.' },
    reply: { ...approval, ...decision('refused') },
  },
  createPlatformApproval: {
    body: { ...suspension, id: tenantId, note: published },
    reply: suspensionAsked,
  },
  approvePlatformApproval: {
    path,
    body: { note: 'The log shows it.', credential },
    reply: { ...suspensionAsked, ...decision('approved'), link: null },
  },
  refusePlatformApproval: {
    path,
    body: { note: 'It was revoked.' },
    reply: { ...suspensionAsked, ...decision('refused') },
  },
  revokeQrKey: {
    path: { id: '2026a' },
    reply: { id: '2026a', object: 'qr_key', signs: false, revoked_at: at('16:00:00') },
  },
  suspendTenant: {
    path: { id: tenantId },
    body: { reason: published },
    reply: { id: tenantId, object: 'tenant', suspended_at: at('16:00:00') },
  },
  resumeTenant: { path: { id: tenantId } },
};
