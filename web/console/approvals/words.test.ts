import { expect, test } from 'vitest';
import { actOf } from './words.ts';

const otto = { id: '019c', name: 'Otto Ruiz', email: 'otto@example.com' };
const roles = (before: string | null, after: string | null) => ({
  postings: [],
  changes: [{ object: 'staff', id: otto.id, field: 'roles', before, after }],
});
const issuer = (before: string | null) => ({
  postings: [],
  changes: [
    {
      object: 'identity_provider',
      id: 'platform',
      field: 'issuer',
      before,
      after: 'https://new.example',
    },
  ],
});
const provider = { issuer: 'https://new.example', client_id: 'ours' };

test.each([
  [
    {
      resource: 'staff',
      move: 'invite',
      body: { email: 'ana_b@example.com', roles: ['reviewer'] },
    },
    'Give the role reviewer to ana_b@example.com',
  ],
  [
    {
      resource: 'staff',
      move: 'change',
      body: { roles: ['reviewer', 'admin'] },
      effect: roles('support', 'admin, reviewer'),
    },
    'Give the roles reviewer and admin to Otto Ruiz, in place of support',
  ],
  [
    { resource: 'staff', move: 'remove', effect: roles('admin, support', null) },
    'Remove admin and support Otto Ruiz',
  ],
  [
    { resource: 'staff', move: 'remove', record_id: '019d', effect: roles('admin', null) },
    'Remove admin 019d',
  ],
  [
    { resource: 'single-sign-on', move: 'set', body: { provider }, effect: issuer(null) },
    'Set the identity provider to https://new.example',
  ],
  [
    {
      resource: 'single-sign-on',
      move: 'set',
      body: { provider },
      effect: issuer('https://old.example'),
    },
    'Change the identity provider to https://new.example',
  ],
  [
    { resource: 'single-sign-on', move: 'remove', effect: issuer('https://old.example') },
    'Remove the identity provider https://old.example',
  ],
  [
    { resource: 'tenants', move: 'suspend', tenant_name: 'Fraud Shop' },
    'Suspend the tenant Fraud Shop',
  ],
  [{ resource: 'qr-keys', move: 'revoke', record_id: '2026a' }, 'Revoke the QR key 2026a'],
  [{ resource: 'restores', move: 'end' }, 'End the restore: release orders, messages and events'],
] as const)('a request says in words what it asks for: %j', (given, words) => {
  const nothing = { record_id: otto.id, body: {}, effect: null, people: [otto], tenant_name: null };
  expect(actOf({ ...nothing, ...given } as unknown as Parameters<typeof actOf>[0])).toBe(words);
});
