import type { Role } from '../../core/roles.ts';
import type { PortalCalls, PortalRecords, Shown } from './operation_example.ts';
import { at, credential, uuid as id, options, tenant, tokenOf } from './story.ts';

/** People of the portal, as the documents show them. */

const { tenant_id: tenantId, tenant_name } = tenant;
const tomorrow = '2026-03-03T14:00:00.000Z';

const scope: Shown<'Scope'> = { scope: tenantId, name: tenant_name, roles: ['owner'] };

const session: Shown<'CurrentSession'> = {
  kind: 'person',
  id: id('b3'),
  person: { id: id('b2'), email: 'ruth@example.com', name: 'Ruth Park' },
  scope: tenantId,
  roles: ['owner'],
  scopes: [scope],
  visit: null,
  opened_by: 'passkey',
  single_sign_on: false,
  must_add_passkey: false,
  fresh_until: at('15:05:00'),
  idle_seconds: 900,
  expires_at: '2026-03-03T03:00:00.000Z',
  passkeys: 1,
  recovery_codes: 10,
};

const passkey: Shown<'OwnPasskey'> = {
  id: id('b4'),
  name: 'Laptop',
  created_at: at('14:00:00'),
  last_used_at: at('15:00:00'),
};

const member: Shown<'Member'> = {
  id: id('b5'),
  email: 'dev@example.com',
  name: 'Devon Ames',
  roles: ['developer'],
  disabled: false,
  passkeys: 2,
  last_signed_in_at: at('14:30:00'),
};

const invitation: Omit<Shown<'NewInvitation'>, 'link'> = {
  id: id('b6'),
  kind: 'join',
  email: 'dev@example.com',
  roles: ['developer'],
  created_at: at('14:00:00'),
  expires_at: tomorrow,
};

const visit: Shown<'Visit'> = {
  tenant_name,
  consent_by: 'Ruth Park',
  until: at('16:00:00'),
  over: false,
};
const consent: Shown<'SupportConsent'> = {
  id: id('b7'),
  object: 'support_consent',
  status: 'open',
  note: 'A payment of order 1042 cannot be found',
  given_by: 'ruth@example.com',
  created_at: at('14:00:00'),
  expires_at: tomorrow,
  ended_at: null,
  visits: [],
};

const codes = Array.from({ length: 10 }, (_, place) => `EXAMPLE-${place}-NOT-A-SECRET`);
const token = tokenOf('tpi');

const identity = { issuer: 'https://login.example.com', client_id: 'tenant-payments' };

export const peopleRecords: PortalRecords = {
  CurrentSession: session,
  Scope: scope,
  Visit: visit,
  SupportConsent: consent,
  EndedSessions: { ended: 1 },
  OwnSession: {
    id: id('b3'),
    current: true,
    scope: tenantId,
    opened_by: 'passkey',
    client_address: '203.0.113.9',
    last_address: '203.0.113.9',
    last_browser: 'Mozilla/5.0',
    moved_at: null,
    browser: 'Mozilla/5.0',
    created_at: at('15:00:00'),
    last_used_at: at('15:00:00'),
    expires_at: '2026-03-03T03:00:00.000Z',
  },
  OwnPasskey: passkey,
  RecoveryCodes: { recovery_codes: codes },
  Member: member,
  Invitation: { ...invitation, status: 'open' },
  NewInvitation: {
    ...invitation,
    link: `https://pay.example.com/portal/sign-in#invitation=${token}`,
  },
  OpenInvitation: {
    kind: 'join',
    email: 'dev@example.com',
    scope_name: tenant_name,
    roles: ['developer'],
    expires_at: tomorrow,
    has_passkey: false,
  },
  AcceptedInvitation: { session, recovery_codes: codes },
  IdentityProvider: {
    scope: tenantId,
    issuer: identity.issuer,
    client_id: identity.client_id,
    required: false,
    trust_email: false,
    sign_in_url: `https://pay.example.com/portal/sign-in#organization=${tenantId}`,
    redirect_uri: `https://pay.example.com/portal/sign-in/callback/${tenantId}`,
    identities: 0,
    created_at: at('15:00:00'),
    updated_at: at('15:00:00'),
  },
  SignInAddress: { redirect_url: `${identity.issuer}/authorize?state=EXAMPLE-NOT-A-SECRET` },
  NewTenant: {
    tenant_id: tenantId,
    client_id: 'client_EXAMPLE',
    client_secret: tokenOf('cs'),
    webhook_secret: tokenOf('whsec'),
    base_url: 'http://localhost:8080',
    portal_url: 'http://localhost:8080/portal',
    portal_sign_in_url: `http://localhost:8080/portal/sign-in#link=${tokenOf('tpl')}`,
    shop_url: 'http://127.0.0.1:8080/shop',
    docs_url: 'http://localhost:8080/docs',
  },
};

const ofMember = { path: { id: id('b5') } };
const ofInvitation = {
  path: { id: id('b6') },
  reply: { ...invitation, status: 'revoked' as const },
};
const changed = <R extends Role>(role: R) => ({
  ...ofMember,
  body: { roles: [role] },
  reply: { ...member, roles: [role] },
});

export const peopleCalls: PortalCalls = {
  beginSignIn: { reply: { options } },
  finishSignIn: { body: { credential } },
  signInByRecoveryCode: {
    body: { email: 'ruth@example.com', recovery_code: codes[0] ?? '' },
    reply: {
      ...session,
      roles: [],
      scopes: [],
      opened_by: 'recovery_code',
      must_add_passkey: true,
      fresh_until: null,
    },
  },
  signInByLink: { body: { token: tokenOf('tpl') } },
  beginStepUp: { reply: { options } },
  finishStepUp: { body: { credential } },
  actIn: { body: { scope: tenantId } },
  endMySession: { path: { id: id('b3') } },
  beginMyPasskey: { reply: { options } },
  addMyPasskey: { body: { credential, name: 'Laptop' } },
  nameMyPasskey: { path: { id: id('b4') }, body: { name: 'Laptop' } },
  removeMyPasskey: { path: { id: id('b4') } },
  putMember: changed('developer'),
  removeMember: { ...ofMember, reply: { ...member, roles: [] } },
  endMemberSessions: ofMember,
  putStaff: changed('reviewer'),
  removeStaff: { ...ofMember, reply: { ...member, roles: [] } },
  endStaffSessions: ofMember,
  createInvitation: { body: { email: 'dev@example.com', roles: ['developer'] } },
  revokeInvitation: ofInvitation,
  createStaffInvitation: { body: { email: 'dev@example.com', roles: ['reviewer'] } },
  revokeStaffInvitation: ofInvitation,
  openInvitation: { body: { token } },
  beginAcceptance: { body: { token, name: 'Devon Ames' }, reply: { options } },
  finishAcceptance: { body: { token, name: 'Devon Ames', credential } },
  giveSupportConsent: { body: { hours: 24, note: 'A payment of order 1042 cannot be found' } },
  endSupportConsent: {
    path: { id: id('b7') },
    reply: { ...consent, status: 'ended', ended_at: at('15:00:00') },
  },
  enterTenant: {
    path: { id: tenantId },
    reply: { ...session, roles: ['reader'], scopes: [], visit },
  },
  leaveTenant: {},
  putSingleSignOn: { body: { ...identity, client_secret: 'EXAMPLE-NOT-A-SECRET' } },
  beginSingleSignOn: { body: { scope: tenantId } },
  beginSingleSignOnLink: { body: {} },
  beginSingleSignOnStepUp: { body: { return_to: '/portal' } },
};
