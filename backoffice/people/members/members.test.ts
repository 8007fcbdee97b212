import type { Actor } from '@tenant-payments/engine/actor.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { expect, onTestFinished, test } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import {
  answer,
  disable,
  enable,
  enrol,
  invitation,
  openBrowser,
  portalPerson,
  tokenOf,
} from '../../../test/kit/people.ts';
import { openServer, startTestServer } from '../../../test/kit/server.ts';
import { ofTenant } from '../scope.ts';
import { sandboxSignInLink } from '../sign_in/sandbox_link.ts';
import { changeMember } from './change.ts';

const server = await openServer({ own: true, workers: false });
const { service } = server;
const remove = changeMember(service, ofTenant);
/** A Tenant without the sandbox's sample person among its owners. */
async function emptyTenant() {
  const { tenantId } = await server.anotherTenant();
  await server.owner.query('delete from control.roles where scope = $1', [tenantId]);
  return tenantId;
}

test('an owner invites, changes and removes members of the own Tenant alone', async () => {
  const [scope, elsewhere] = [await emptyTenant(), await emptyTenant()];
  const owner = await portalPerson(server, scope, ['owner']);
  const stranger = await portalPerson(server, elsewhere, ['reader']);
  const made = await owner.ask('POST', '/invitations', { email: 'Dev@x.co', roles: ['developer'] });
  expect(made.body).toMatchObject({ email: 'dev@x.co', roles: ['developer'] });
  const { browser, reply } = await enrol(server, made.body.link, 'Dev');
  const { id } = reply.body.session.person;
  const list = async () => (await owner.ask('GET', '/members')).body.data;
  expect(await list()).toMatchObject([{ email: 'dev@x.co', passkeys: 1 }, { id: owner.id }]);
  const again = await owner.ask('POST', '/invitations', { email: 'dev@x.co', roles: ['reader'] });
  expect(refusalLine(again)).toBe('invalid_state already_member');
  const changed = await owner.ask('PUT', `/members/${id}`, { roles: ['reader', 'finance'] });
  expect(changed.body.roles).toEqual(['finance', 'reader']);
  expect((await browser.ask('GET', '/session')).status).toBe(401);
  for (const [method, path, body] of [
    ['PUT', `/members/${stranger.id}`, { roles: ['owner'] }],
    ['DELETE', `/members/${stranger.id}`, undefined],
    ['DELETE', `/members/${stranger.id}/sessions`, undefined],
    ['DELETE', '/members/me', undefined],
  ] as const)
    expect(refusalLine(await owner.ask(method, path, body))).toBe('not_found');
  expect((await stranger.ask('GET', '/session')).body.roles).toEqual(['reader']);
  expect((await owner.ask('DELETE', `/members/${id}`)).body.roles).toEqual([]);
  expect(await list()).toHaveLength(1);
});

test('nobody changes the own roles, and the last owner stays, also when two remove each other', async () => {
  const scope = await emptyTenant();
  const [one, two] = [
    await portalPerson(server, scope, ['owner']),
    await portalPerson(server, scope, ['owner']),
  ];
  expect(refusalLine(await one.ask('PUT', `/members/${one.id}`, { roles: ['reader'] }))).toBe(
    'invalid_state own_roles',
  );
  // Not over HTTP: the first to commit would sign the second out before it asks.
  const second = await startTestServer({ beside: server, workers: false });
  onTestFinished(() => second.stop());
  const without = (id: string, by: string, { platformEngine } = service) => {
    const actor: Actor = {
      kind: 'person',
      id: by,
      personId: by,
      roles: ['owner'],
      address: null,
      requestId: null,
    };
    const act = { act: 'removeMember', record: id, scope };
    const input = { id, tenantId: scope };
    return platformEngine.submit(remove, { tenantId: platformId, actor, act, input });
  };
  const ends = await Promise.allSettled([
    without(two.id, one.id),
    without(one.id, two.id, second.service),
  ]);
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.details] : []));
  expect(refused).toEqual([{ reason: 'last_owner' }]);
  const { rows } = await server.owner.query(
    "select count(*) from control.roles where scope = $1 and role = 'owner'",
    [scope],
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test('a role that is taken away keeps its row with its end, and counts from when it is given again', async () => {
  const scope = await emptyTenant();
  const owner = await portalPerson(server, scope, ['owner']);
  const { id } = await portalPerson(server, scope, ['finance']);
  const rows = async () => {
    const found = await server.owner.query(
      `select role, granted_by, granted_at > created_at as is_anew, ended_at is null as is_held
       from control.role_grants r join control.people p on p.id = r.person_id
       where scope = $1 and person_id = $2 order by role`,
      [scope, id],
    );
    return found.rows;
  };
  await owner.ask('PUT', `/members/${id}`, { roles: ['reader'] });
  const reader = { role: 'reader', granted_by: owner.id, is_anew: true };
  expect(await rows()).toEqual([
    { role: 'finance', granted_by: null, is_anew: false, is_held: false },
    { ...reader, is_held: true },
  ]);
  await owner.ask('PUT', `/members/${id}`, { roles: ['finance'] });
  expect(await rows()).toEqual([
    { role: 'finance', granted_by: owner.id, is_anew: true, is_held: true },
    { ...reader, is_held: false },
  ]);
});

test('staff act on the Tenant that they name; a member names no other', async () => {
  const [scope, elsewhere] = [await emptyTenant(), await emptyTenant()];
  const admin = await portalPerson(server, 'platform', ['admin']);
  const member = await portalPerson(server, scope, ['owner']);
  const ask = async (who: typeof admin, tenant: string) =>
    refusalLine(await who.ask('GET', '/members', undefined, { headers: { 'tenant-id': tenant } }));
  expect(refusalLine(await admin.ask('GET', '/members'))).toBe('forbidden choose_tenant');
  expect(await ask(admin, scope)).toBe('200');
  expect(await ask(admin, 'nonsense')).toBe('parameter_invalid unknown_tenant');
  expect(await ask(member, scope)).toBe('200');
  expect(await ask(member, elsewhere)).toBe('forbidden staff_only');
});

test('an admin manages the members of a Tenant by the rules of its owners, and keeps its last owner', async () => {
  const scope = await emptyTenant();
  const admin = await portalPerson(server, 'platform', ['admin']);
  const owner = await portalPerson(server, scope, ['owner']);
  const member = await portalPerson(server, scope, ['reader']);
  const ask = (method: string, path: string, body?: object, by = admin) =>
    by.ask(method, `/members${path}`, body, { headers: { 'tenant-id': scope } });
  expect((await ask('GET', '')).body.data).toMatchObject([{ id: owner.id }, { id: member.id }]);
  const changed = await ask('PUT', `/${member.id}`, { roles: ['finance'] });
  expect(changed.body.roles).toEqual(['finance']);
  expect((await member.ask('GET', '/session')).status).toBe(401);
  await member.signIn();
  expect((await ask('DELETE', `/${member.id}/sessions`)).body).toEqual({ ended: 1 });
  for (const [method, body] of [
    ['PUT', { roles: ['reader'] }],
    ['DELETE', undefined],
  ] as const)
    expect(refusalLine(await ask(method, `/${owner.id}`, body))).toBe('invalid_state last_owner');
  const { rows } = await server.owner.query(
    `select act from control.audit where scope = $1 and actor_id = $2 and outcome = 'done'
     order by number`,
    [scope, admin.id],
  );
  expect(rows.map(({ act }) => act)).toEqual(['putMember', 'endMemberSessions']);
  const reviewer = await portalPerson(server, 'platform', ['reviewer']);
  expect((await ask('GET', '', undefined, reviewer)).status).toBe(403);
});

test('a session acts in one scope, which the person chooses among the own ones', async () => {
  const scope = await emptyTenant();
  const other = await emptyTenant();
  const ruth = await portalPerson(server, scope, ['reader']);
  const link = await invitation(server, {
    scope: 'platform',
    email: ruth.email,
    roles: ['support'],
  });
  const token = tokenOf(link);
  const seen = await ruth.ask('POST', '/accept-invitation/open', { token });
  expect(seen.body.has_passkey).toBe(true);
  const { options } = (await ruth.ask('POST', '/accept-invitation/begin', { token })).body;
  const thief = await portalPerson(server, other, ['reader']);
  const wrong = await thief.ask('POST', '/accept-invitation/finish', {
    token,
    credential: thief.passkey.get(options),
  });
  expect(refusalLine(wrong)).toBe('parameter_invalid unknown_credential');
  const credential = ruth.passkey.get(options);
  const accepted = await ruth.ask('POST', '/accept-invitation/finish', { token, credential });
  expect(accepted.body).toMatchObject({
    session: { scope: 'platform', roles: ['support'] },
    recovery_codes: null,
  });
  const act = async (to: string) => ruth.ask('POST', '/session/act', { scope: to });
  expect((await act(scope)).body).toMatchObject({ scope, roles: ['reader'] });
  expect(refusalLine(await act(other))).toBe('parameter_invalid no_role');
  await answer(ruth, 'sign-in', ruth.passkey);
  expect((await ruth.ask('GET', '/session')).body.scope).toBe(scope);
});

test('whoever is disabled is signed out and stays out, and the last admin is not', async () => {
  const scope = await emptyTenant();
  await server.owner.query("delete from control.roles where scope = 'platform'");
  const admin = await portalPerson(server, 'platform', ['admin']);
  const ruth = await portalPerson(server, scope, ['reader']);
  await disable(server, ruth.email);
  expect((await ruth.ask('GET', '/session')).status).toBe(401);
  expect(refusalLine(await ruth.signIn())).toBe('parameter_invalid unknown_credential');
  const [code = ''] = ruth.recoveryCodes;
  const body = { email: ruth.email, recovery_code: code };
  const recovered = await openBrowser(server).ask('POST', '/sign-in/recovery', body);
  expect(refusalLine(recovered)).toBe('parameter_invalid wrong');
  await enable(server, ruth.email);
  expect((await ruth.signIn()).status).toBe(200);
  const last = disable(server, admin.email);
  await expect(last).rejects.toMatchObject({ details: { reason: 'last_admin' } });
  expect((await admin.ask('GET', '/staff')).status).toBe(200);
});

test('the first admin of production invites staff, and an invitation is revoked once', async () => {
  const production = await startTestServer({ environment: 'production', workers: false });
  const first = { scope: 'platform', email: 'root@x.co', roles: ['admin'] } as const;
  await invitation(production, first);
  const { browser, reply } = await enrol(production, await invitation(production, first), 'Root');
  expect(reply.body.session).toMatchObject({
    scope: 'platform',
    roles: ['admin'],
    idle_seconds: 900,
  });
  const staff = { email: 'rev@x.co', roles: ['reviewer'] };
  const made = await browser.ask('POST', '/staff-invitations', staff);
  expect(made.status).toBe(201);
  expect((await browser.ask('DELETE', `/staff-invitations/${made.body.id}`)).body.status).toBe(
    'revoked',
  );
  expect(refusalLine(await browser.ask('DELETE', `/staff-invitations/${made.body.id}`))).toBe(
    'invalid_state revoked',
  );
  expect((await browser.ask('GET', '/staff-invitations')).body.data).toMatchObject([
    { email: 'rev@x.co', status: 'revoked' },
    { email: 'root@x.co', status: 'accepted' },
    { email: 'root@x.co', status: 'revoked' },
  ]);
  await production.stop();
});

test("the sandbox's link signs in once as owner of its Tenant and admin of staff, and needs no step-up", async () => {
  const { tenantId, portal_sign_in_url } = await server.anotherTenant();
  expect(portal_sign_in_url).toMatch(/\/portal\/sign-in#link=tpl_[\w-]{75}$/);
  const link = await sandboxSignInLink(service, tenantId);
  const use = (url: string | null, browser = openBrowser(server)) =>
    browser.ask('POST', '/sign-in/link', { token: tokenOf(url ?? '') });
  const browser = openBrowser(server);
  const both = await Promise.all([use(link, browser), use(link), use(portal_sign_in_url)]);
  expect(both.map(refusalLine).sort()).toEqual([
    '200',
    'parameter_invalid used_or_expired',
    'parameter_invalid used_or_expired',
  ]);
  const used = both.find(({ status }) => status === 200);
  expect(used?.body).toMatchObject({ scope: tenantId, roles: ['owner'] });
  expect(used?.body.scopes).toContainEqual({
    scope: 'platform',
    name: 'Platform',
    roles: ['admin'],
  });
});

test("a Tenant's token is shown as a program in the sandbox, and has no sessions or passkeys of its own", async () => {
  const { body } = await server.call('GET', '/portal/api/session');
  expect(body).toMatchObject({ kind: 'client', id: server.tenant.client_id, person: null });
  expect(refusalLine(await server.call('GET', '/portal/api/my-sessions'))).toBe(
    'forbidden no_person',
  );
});
