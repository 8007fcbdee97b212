import {
  approvalActs,
  platformMoves,
} from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import { expect, test } from 'vitest';
import { actOf, askedFor } from './words.ts';

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
    'Remove admin somebody who has left',
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

/** A key as the service spells it, or an id. */
const raw = /[a-z0-9]_[a-z0-9]|[0-9a-f]{8}-[0-9a-f]{4}|undefined/;
const ofPlatform = new Set<string>(Object.keys(platformMoves));
const asked = {
  record_id: `dsp_${'0'.repeat(32)}`,
  body: { settings: { withdrawal_hold_hours: 24 } },
  amount: null,
  effect: null,
};

test.each(Object.keys(approvalActs))('%s is asked for in words, without a raw key', (name) => {
  const [resource = '', move = ''] = name.split('.');
  // The id of a QR key is a name that people gave it.
  const record_id = resource === 'qr-keys' ? 'older' : asked.record_id;
  const request = { ...asked, record_id, resource, move, people: [], tenant_name: 'Maple Market' };
  const words = ofPlatform.has(resource)
    ? actOf({ ...request, body: {} } as unknown as Parameters<typeof actOf>[0])
    : askedFor(request as unknown as Parameters<typeof askedFor>[0]);
  expect(words).toMatch(/^[A-Z][a-z]+ /);
  expect(words).not.toMatch(raw);
  // By its own sentence, and not by the names of resource and move.
  expect(words.toLowerCase()).not.toBe(`${move} ${resource}`.replaceAll(/[_-]/g, ' '));
});

const limit = 'limits.withdrawal_daily.individual';

test.each([
  [
    {
      resource: 'settings',
      move: 'change',
      effect: {
        postings: [],
        changes: [
          { object: 'settings', id: '019c', field: limit, before: 10_000_00, after: 50_000_00 },
        ],
      },
    },
    'Raise the daily withdrawal limit of individuals, $10,000 to $50,000',
  ],
  [{ resource: 'settings', move: 'change' }, 'Change withdrawal hold'],
  [
    { resource: 'disputes', move: 'credit', body: { amount: 80_00 } },
    'Give provisional credit, $80',
  ],
  [{ resource: 'accounts', move: 'adjust', body: { amount: -12_50 } }, 'Debit an account, $12.50'],
  [
    {
      resource: 'documents',
      move: 'publish',
      record_id: 'terms_of_service',
      body: { version: '3' },
    },
    'Publish terms of service, version 3',
  ],
  [
    { resource: 'own-bank-accounts', move: 'put_in_force', record_id: 'fbo' },
    'Put the FBO account at the bank in force',
  ],
])('a request of a Tenant says in words what it asks for: %j', (given, words) => {
  expect(askedFor({ ...asked, ...given } as unknown as Parameters<typeof askedFor>[0])).toBe(words);
});
