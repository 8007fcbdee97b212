import type { AuditRow } from '@tenant-payments/engine/write/flush_audit.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openDevice } from '../../test/kit/device.ts';
import type { Reply } from '../../test/kit/http/http.ts';
import { newPasskey } from '../../test/kit/pages/passkey.ts';
import {
  answer,
  enrol,
  invitation,
  openBrowser,
  type PortalPerson,
  portalPerson,
} from '../../test/kit/people.ts';
import { openServer, startTestServer } from '../../test/kit/server.ts';
import { openProvider } from '../../test/kit/sign_on/provider.ts';
import { openVisitor } from '../../test/kit/sign_on/visitor.ts';
import type { portalEndpoints } from '../contract/catalog.ts';
import { sandboxSignInLink } from './sign_in/sandbox_link.ts';

/** Every act of sign-in, and on people, leaves one row in the chain of where it belongs. */

const server = await openServer({ own: true, workers: false });
const { service } = server;

type Catalog = typeof portalEndpoints;
type OnPeople =
  | keyof typeof import('../contract/people/session.ts')
  | keyof typeof import('../contract/people/my.ts')
  | keyof typeof import('../contract/people/members.ts')
  | keyof typeof import('../contract/people/invitations.ts')
  | keyof typeof import('../contract/people/support.ts')
  | keyof typeof import('../contract/people/single_sign_on.ts')
  | keyof typeof import('../contract/people/device.ts');
/** Options of a browser, and the address of a provider, change nothing. */
type Changes = Exclude<keyof Catalog & OnPeople, `begin${string}` | `open${string}`>;
type WriteId = { [Id in Changes]: Catalog[Id]['method'] extends 'GET' ? never : Id }[Changes];

interface Done {
  readonly reply: Reply;
  readonly scope: string;
  readonly person: string;
  /** What the row names. */
  readonly record: unknown;
}

/** An owner of a new Tenant, and somebody else there. */
async function people() {
  const { tenantId: scope } = await server.anotherTenant();
  const owner = await portalPerson(server, scope, ['owner']);
  const member = await portalPerson(server, scope, ['reader']);
  return { scope, owner, member };
}

/** An admin of the platform, and somebody else of the staff. */
async function staff() {
  const owner = await portalPerson(server, 'platform', ['admin']);
  const member = await portalPerson(server, 'platform', ['support']);
  return { scope: 'platform', owner, member };
}

type Stage = Awaited<ReturnType<typeof people>>;

/** What somebody does, in the scope where they act. */
async function by(
  open: () => Promise<Stage>,
  method: string,
  path: (stage: Stage) => string | Promise<string>,
  record: (reply: Reply, stage: Stage) => unknown,
  body?: object,
): Promise<Done> {
  const stage = await open();
  const { owner, scope } = stage;
  const reply = await owner.ask(method, await path(stage), body);
  return { reply, scope, person: owner.id, record: record(reply, stage) };
}

const none = () => null;
const ofMember = (_: Reply, { member }: Stage) => member.id;
const ofReply = ({ body }: Reply) => body.id;
const anId = expect.stringMatching(/^[0-9a-f-]{36}$/);
const reader = { email: 'new@example.com', roles: ['reader'] };
const support = { email: 'new@example.com', roles: ['support'] };
const invitationOf = (path: string, body: object) => async (stage: Stage) =>
  `${path}/${(await stage.owner.ask('POST', path, body)).body.id}`;

async function addedPasskey({ owner }: Stage): Promise<Reply> {
  const { options } = (await owner.ask('POST', '/my-passkeys/begin')).body;
  const credential = newPasskey(new URL(service.config.publicUrl).origin).create(options);
  return owner.ask('POST', '/my-passkeys', { credential, name: 'Ana Key' });
}
const myPasskey = async (stage: Stage) => `/my-passkeys/${(await addedPasskey(stage)).body.id}`;

/** Somebody who comes from outside, as `enter` lets them in. */
async function entering(
  enter: (stage: Stage) => Promise<Reply>,
  record: (reply: Reply) => unknown = () => anId,
): Promise<Done> {
  const stage = await people();
  const reply = await enter(stage);
  return { reply, scope: stage.scope, person: stage.owner.id, record: record(reply) };
}

async function decided(move: 'approve' | 'deny'): Promise<Done> {
  const { user_code } = (await openDevice(server)).begun;
  return by(people, 'POST', () => `/device-sign-in/${move}`, ofReply, { user_code });
}

const consent = { hours: 1, note: 'Ana Key' };
const consentOf = async ({ owner }: Stage) =>
  `/support-consents/${(await owner.ask('POST', '/support-consents', consent)).body.id}`;

/** What one of the staff does who may come in. */
async function visited(
  act: (on: { scope: string; visitor: PortalPerson }) => Promise<Reply>,
): Promise<Done> {
  const { scope, owner } = await people();
  await owner.ask('POST', '/support-consents', consent);
  const visitor = await portalPerson(server, 'platform', ['support']);
  const reply = await act({ scope, visitor });
  return { reply, scope, person: visitor.id, record: anId };
}

/** Each leaves the row that the test looks for as its last; the compiler asks for each. */
const writes: Readonly<Record<WriteId, () => Promise<Done>>> = {
  signOut: () =>
    by(
      people,
      'DELETE',
      () => '/session',
      () => anId,
    ),
  actIn: async () => {
    const stage = await people();
    const { scope, owner } = stage;
    const reply = await owner.ask('POST', '/session/act', { scope });
    return { reply, scope, person: owner.id, record: reply.body.id };
  },
  finishSignIn: () => entering(({ owner }) => owner.signIn(), ofReply),
  signInByRecoveryCode: () =>
    entering(
      ({ owner: { email, recoveryCodes } }) =>
        openBrowser(server).ask('POST', '/sign-in/recovery', {
          email,
          recovery_code: recoveryCodes[0],
        }),
      ofReply,
    ),
  signInByLink: async () => {
    const { tenantId: scope } = await server.anotherTenant();
    const link = await sandboxSignInLink(service, scope);
    const token = link.replace(/^.*#link=/, '');
    const reply = await openBrowser(server).ask('POST', '/sign-in/link', { token });
    return { reply, scope, person: reply.body.person.id, record: reply.body.id };
  },
  finishStepUp: () => entering(({ owner }) => answer(owner, 'step-up', owner.passkey), ofReply),
  finishAcceptance: async () => {
    const { tenantId: scope } = await server.anotherTenant();
    const link = await invitation(server, { ...reader, scope, roles: ['reader'] });
    const { reply } = await enrol(server, link, 'Ana Key');
    return { reply, scope, person: reply.body.session.person.id, record: anId };
  },
  endMySession: async () => {
    const stage = await people();
    const { scope, owner } = stage;
    const { data } = (await owner.ask('GET', '/my-sessions')).body;
    const { id } = data[0];
    const reply = await owner.ask('DELETE', `/my-sessions/${id}`);
    return { reply, scope, person: owner.id, record: id };
  },
  endMyOtherSessions: () => by(people, 'DELETE', () => '/my-sessions', none),
  addMyPasskey: () => entering(addedPasskey, ofReply),
  nameMyPasskey: () => by(people, 'PUT', myPasskey, ofReply, { name: 'Ana Key' }),
  removeMyPasskey: () => by(people, 'DELETE', myPasskey, ofReply),
  replaceMyRecoveryCodes: () => by(people, 'POST', () => '/my-recovery-codes', none),
  putMember: () =>
    by(people, 'PUT', ({ member }) => `/members/${member.id}`, ofMember, { roles: ['finance'] }),
  removeMember: () => by(people, 'DELETE', ({ member }) => `/members/${member.id}`, ofMember),
  endMemberSessions: () =>
    by(people, 'DELETE', ({ member }) => `/members/${member.id}/sessions`, ofMember),
  putStaff: () =>
    by(staff, 'PUT', ({ member }) => `/staff/${member.id}`, ofMember, { roles: ['reviewer'] }),
  removeStaff: () => by(staff, 'DELETE', ({ member }) => `/staff/${member.id}`, ofMember),
  endStaffSessions: () =>
    by(staff, 'DELETE', ({ member }) => `/staff/${member.id}/sessions`, ofMember),
  createInvitation: () => by(people, 'POST', () => '/invitations', ofReply, reader),
  revokeInvitation: () => by(people, 'DELETE', invitationOf('/invitations', reader), ofReply),
  createStaffInvitation: () => by(staff, 'POST', () => '/staff-invitations', ofReply, support),
  revokeStaffInvitation: () =>
    by(staff, 'DELETE', invitationOf('/staff-invitations', support), ofReply),
  giveSupportConsent: () => by(people, 'POST', () => '/support-consents', ofReply, consent),
  endSupportConsent: () => by(people, 'DELETE', consentOf, ofReply),
  enterTenant: () =>
    visited(({ scope, visitor }) => visitor.ask('POST', `/tenants/${scope}/enter`)),
  leaveTenant: () =>
    visited(async ({ scope, visitor }) => {
      await visitor.ask('POST', `/tenants/${scope}/enter`);
      return visitor.ask('POST', '/session/leave');
    }),
  approveDeviceSignIn: () => decided('approve'),
  denyDeviceSignIn: () => decided('deny'),
  pollDeviceSignIn: async () => {
    const stage = await people();
    const { begun, poll } = await openDevice(server);
    const { user_code } = begun;
    await stage.owner.ask('POST', '/device-sign-in/approve', { user_code });
    const reply = await poll();
    return { reply, scope: stage.scope, person: stage.owner.id, record: reply.body.id };
  },
  putSingleSignOn: async () => {
    const { issuer, secret } = await openProvider();
    const given = { issuer, client_id: 'ours', client_secret: secret };
    return by(people, 'PUT', () => '/single-sign-on', none, given);
  },
  removeSingleSignOn: () => by(people, 'DELETE', () => '/single-sign-on', none),
};

const rowsOf = async (scope: string, requestId: string | null): Promise<AuditRow[]> => {
  const { rows } = await service.pool.query<AuditRow>(
    'select * from control.audit where scope = $1 and request_id = $2',
    [scope, requestId],
  );
  return rows;
};

test.each(Object.entries(writes))(
  '%s writes one row with who, what and when, and no secret',
  async (act, work) => {
    const { reply, scope, person, record } = await work();
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    const rows = await rowsOf(scope, reply.headers.get('service-request-id'));
    expect(rows).toMatchObject([
      { actor_kind: 'person', actor_id: person, person_id: person, act, record, outcome: 'done' },
    ]);
    expect(rows[0]?.body).not.toMatch(/tp[a-z]_|example\.com|Ana Key|Laptop/);
    expect(rows[0]?.address).toBe('127.0.0.1');
  },
);

test('a sign-in, a link and a step-up at a provider are rows of its scope', async () => {
  const { scope, owner } = await people();
  const provider = await openProvider();
  const { issuer, secret: client_secret } = provider;
  await owner.ask('PUT', '/single-sign-on', { issuer, client_id: 'ours', client_secret });
  provider.allow('ours', [`${service.config.publicUrl}/portal/sign-in/callback/${scope}`]);
  provider.accounts.set('ana', { email: owner.email, email_verified: true });
  provider.subject = 'ana';
  const visitor = openVisitor(server, owner);
  const through = async (way: 'begin' | 'link' | 'step-up', body: object = {}) =>
    visitor.comeBack(await visitor.visit(await visitor.begin(body, way)));
  await through('link');
  await through('begin', { scope });
  visitor.leaveProvider();
  await through('step-up');
  const { rows } = await service.pool.query<AuditRow>(
    `select * from control.audit where scope = $1 and act = 'finishSingleSignOn' order by number`,
    [scope],
  );
  expect(rows.map(({ person_id, body }) => [person_id, JSON.parse(body).after])).toEqual([
    [owner.id, { purpose: 'link' }],
    [owner.id, { opened_by: 'single_sign_on', identity_linked: false }],
    [owner.id, { purpose: 'step_up' }],
  ]);
});

test('what is refused to a person is a row with the code, of the own scope also where staff name a Tenant', async () => {
  const { tenantId } = await server.anotherTenant();
  const admin = await portalPerson(server, 'platform', ['admin']);
  const headers = { 'tenant-id': tenantId };
  const reply = await admin.ask('DELETE', '/my-sessions/none', undefined, { headers });
  expect(reply.status).toBe(404);
  const requestId = reply.headers.get('service-request-id');
  expect(await rowsOf('platform', requestId)).toMatchObject([
    { actor_id: admin.id, act: 'endMySession', record: 'none', outcome: 'not_found' },
  ]);
  expect(await rowsOf(tenantId, requestId)).toEqual([]);
});

test('an act whose row cannot be written does not happen', async () => {
  const alone = await startTestServer({ workers: false, alone: true });
  onTestFinished(() => alone.stop());
  const owner = await portalPerson(alone, alone.tenant.tenantId, ['owner']);
  const right = 'execute on function control.append_audit';
  await alone.owner.query(`revoke ${right} from tenant_payments_service`);
  const refused = await owner.ask('POST', '/my-recovery-codes');
  await alone.owner.query(`grant ${right} to tenant_payments_service`);
  expect(refused.status).toBe(500);
  const [code] = owner.recoveryCodes;
  const used = await openBrowser(alone).ask('POST', '/sign-in/recovery', {
    email: owner.email,
    recovery_code: code,
  });
  expect(used.status).toBe(200);
});
