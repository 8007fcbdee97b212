import type { Json } from '../openapi/schemas.ts';
import type { OperationExample } from './operation_example.ts';
import { at, ids, tokenOf } from './story.ts';

/** API keys, and what the audit holds. */

export const apiKey: Json = {
  id: '019cb0c4-5e00-7000-8000-0000000000a3',
  name: 'Nightly reports',
  scope: '019cb0c4-5e00-7000-8000-000000000001',
  roles: ['finance'],
  person_id: '019cb0c4-5e00-7000-8000-0000000000a4',
  made_by: 'portal',
  created_at: at('14:00:00'),
  expires_at: '2026-09-01T00:00:00.000Z',
};
export const usedKey: Json = {
  ...apiKey,
  status: 'active',
  last_used_at: at('15:00:00'),
  revoked_at: null,
};

const user_code = 'WDJB-MJHT';
const askedRoles = ['developer'];

/** A program that asks for a key by a code, by schema name. */
export const deviceExamples: Readonly<Record<string, Json>> = {
  BegunDeviceSignIn: {
    device_code: tokenOf('tpd'),
    user_code,
    verification_uri: 'https://pay.example.com/portal/device',
    verification_uri_complete: `https://pay.example.com/portal/device#code=${user_code}`,
    expires_in: 600,
    interval: 5,
  },
  DeviceSignIn: {
    id: '019cb0c4-5e00-7000-8000-0000000000a5',
    status: 'waiting',
    client_name: "Ruth's laptop",
    client_address: '203.0.113.9',
    asked_roles: askedRoles,
    scope: '019cb0c4-5e00-7000-8000-000000000001',
    scope_name: 'Sample Tenant',
    roles: askedRoles,
    allowed_roles: ['developer', 'reader'],
    expires_at: at('14:10:00'),
    key_expires_at: '2026-05-31T14:00:00.000Z',
  },
};

const decided = (status: string): OperationExample => ({
  body: { user_code },
  reply: { ...deviceExamples.DeviceSignIn, status },
});

/** By operation id. */
export const deviceRequests: Readonly<Record<string, OperationExample>> = {
  beginDeviceSignIn: { body: { client_name: "Ruth's laptop", roles: askedRoles } },
  pollDeviceSignIn: {
    body: { device_code: tokenOf('tpd') },
    reply: {
      ...apiKey,
      name: "Ruth's laptop",
      roles: askedRoles,
      made_by: 'device',
      key: tokenOf('tpk'),
    },
  },
  openDeviceSignIn: { body: { user_code } },
  approveDeviceSignIn: decided('approved'),
  denyDeviceSignIn: decided('denied'),
};

const actor: Json = {
  kind: 'person',
  id: 'prs_019cb0c45e00700080000000000000b1',
  person_id: 'prs_019cb0c45e00700080000000000000b1',
  name: 'Ruth Ives',
  email: 'ruth@platform.example',
};

export const settingChange: Json = {
  at: at('15:04:00'),
  actor,
  request_id: ids.request,
  key: 'confirmation_grace_seconds',
  before: 120,
  after: 0,
};

export const auditProof: Json = {
  object: 'audit_proof',
  head: { number: 42, hash: 'a09be3d1c5f7082e6d4b1a3c9f8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d7c6' },
  verified: {
    at: at('09:30:02'),
    ok: true,
    checked: 40,
    faults: [],
    number: 40,
    hash: '4f1c0d2be1a0d6e9f8d0a1b55e3a6c7d90b1f2e3a4c5d6e7f8091a2b3c4d5e6f',
  },
};

export const auditPerson: Json = {
  object: 'audit_person',
  id: '019cb0c4-5e00-7000-8000-0000000000a4',
  name: 'Ruth Ives',
  email: 'ruth@platform.example',
};

export const auditRow: Json = {
  number: 42,
  tenant_id: '019cb0c4-5e00-7000-8000-0000000000a1',
  tenant_name: 'Maple Market',
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
  previous_hash: '4f1c0d2be1a0d6e9f8d0a1b55e3a6c7d90b1f2e3a4c5d6e7f8091a2b3c4d5e6f',
  hash: 'a09be3d1c5f7082e6d4b1a3c9f8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d7c6',
};

export const accessRecord: Json = {
  id: '019cb0c4-5e00-7000-8000-0000000000a6',
  object: 'access_record',
  at: at('15:04:00'),
  acted_as: 'staff',
  person_id: apiKey.person_id,
  email: 'ruth@platform.example',
  api_key_id: null,
  kind: 'record',
  record: ids.payment,
  address: '203.0.113.9',
  request_id: ids.request,
};
