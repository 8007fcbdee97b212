import type { PortalCalls, PortalRecords, Shown } from './operation_example.ts';
import { at, ids, tenant, tokenOf, uuid } from './story.ts';

/** API keys, and what the audit holds. */

const scope = uuid('01');
const apiKey: Omit<Shown<'NewApiKey'>, 'key'> = {
  id: uuid('a3'),
  name: 'Nightly reports',
  scope,
  roles: ['finance'],
  person_id: uuid('a4'),
  made_by: 'portal',
  created_at: at('14:00:00'),
  expires_at: '2026-09-01T00:00:00.000Z',
};
const usedKey: Shown<'ApiKey'> = {
  ...apiKey,
  status: 'active',
  last_used_at: at('15:00:00'),
  revoked_at: null,
};
const revokedKey: Shown<'ApiKey'> = { ...usedKey, status: 'revoked', revoked_at: at('16:00:00') };

const user_code = 'WDJB-MJHT';
const device: Shown<'DeviceSignIn'> = {
  id: uuid('a5'),
  status: 'waiting',
  client_name: "Ruth's laptop",
  client_address: '203.0.113.9',
  asked_roles: ['developer'],
  scope,
  scope_name: 'Sample Tenant',
  roles: ['developer'],
  allowed_roles: ['developer', 'reader'],
  expires_at: at('14:10:00'),
  key_expires_at: '2026-05-31T14:00:00.000Z',
};

const actor: Shown<'AuditRow'>['actor'] = {
  kind: 'person',
  id: 'prs_019cb0c45e00700080000000000000b1',
  person_id: 'prs_019cb0c45e00700080000000000000b1',
  name: 'Ruth Ives',
  email: 'ruth@platform.example',
};
const hashes = {
  hash: 'a09be3d1c5f7082e6d4b1a3c9f8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d7c6',
  previous: '4f1c0d2be1a0d6e9f8d0a1b55e3a6c7d90b1f2e3a4c5d6e7f8091a2b3c4d5e6f',
};

export const accessRecords: PortalRecords = {
  ApiKey: usedKey,
  NewApiKey: { ...apiKey, key: tokenOf('tpk') },
  BegunDeviceSignIn: {
    device_code: tokenOf('tpd'),
    user_code,
    verification_uri: 'https://pay.example.com/portal/device',
    verification_uri_complete: `https://pay.example.com/portal/device#code=${user_code}`,
    expires_in: 600,
    interval: 5,
  },
  DeviceSignIn: device,
  SettingChange: {
    at: at('15:04:00'),
    actor,
    request_id: ids.request,
    key: 'confirmation_grace_seconds',
    before: 120,
    after: 0,
  },
  AccessRecord: {
    id: uuid('a6'),
    object: 'access_record',
    at: at('15:04:00'),
    acted_as: 'staff',
    person_id: uuid('a4'),
    email: 'ruth@platform.example',
    api_key_id: null,
    kind: 'record',
    record: ids.payment,
    address: '203.0.113.9',
    request_id: ids.request,
  },
  AuditPerson: {
    object: 'audit_person',
    id: uuid('a4'),
    name: 'Ruth Ives',
    email: 'ruth@platform.example',
  },
  AuditRow: {
    number: 42,
    ...tenant,
    at: at('15:04:00'),
    actor,
    act: 'putSettings',
    record: null,
    address: '203.0.113.9',
    request_id: ids.request,
    outcome: 'done',
    count: 1,
    before: { confirmation_grace_seconds: 120 },
    after: { confirmation_grace_seconds: 0 },
    previous_hash: hashes.previous,
    hash: hashes.hash,
  },
  AuditProof: {
    object: 'audit_proof',
    head: { number: 42, hash: hashes.hash },
    verified: {
      at: at('09:30:02'),
      ok: true,
      checked: 40,
      faults: [],
      number: 40,
      hash: hashes.previous,
    },
  },
};

const decided = (status: Shown<'DeviceSignIn'>['status']) => ({
  body: { user_code },
  reply: { ...device, status },
});

export const accessCalls: PortalCalls = {
  createApiKey: {
    body: { name: 'Nightly reports', roles: ['finance'], expires_at: '2026-09-01T00:00:00Z' },
  },
  revokeApiKey: { path: { id: apiKey.id }, reply: revokedKey },
  revokeThisApiKey: { reply: revokedKey },
  beginDeviceSignIn: { body: { client_name: device.client_name, roles: device.asked_roles } },
  pollDeviceSignIn: {
    body: { device_code: tokenOf('tpd') },
    reply: {
      ...apiKey,
      name: "Ruth's laptop",
      roles: ['developer'],
      made_by: 'device',
      key: tokenOf('tpk'),
    },
  },
  openDeviceSignIn: { body: { user_code } },
  approveDeviceSignIn: decided('approved'),
  denyDeviceSignIn: decided('denied'),
  listSettingChanges: { query: { key: 'confirmation_grace_seconds' } },
  listAudit: { query: { act: 'putSettings' } },
  listAuditPeople: { query: { q: 'ruth' } },
  listAccessRecords: { query: { acted_as: 'staff' } },
  getAuditProof: { query: { scope: 'tenant' } },
};
