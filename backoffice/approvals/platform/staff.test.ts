import type { Message } from '@tenant-payments/service/rails/messages.ts';
import { expect, test } from 'vitest';
import { heldLong, openApprovals, shortOf } from '../../../test/kit/approvals.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { enrol, type PortalPerson, portalPerson, signing } from '../../../test/kit/people.ts';
import { openProvider } from '../../../test/kit/sign_on/provider.ts';
import { openVisitor } from '../../../test/kit/sign_on/visitor.ts';
import { until } from '../../../test/kit/wait.ts';
import { unexplainedRights } from '../../audit/rights.ts';

/** The right to approve is itself given and taken by two (rules/approvals#21). */

const { server, admins } = await openApprovals();
const [maria, otto] = admins;
const requests = '/platform-approvals';

const ask = async (act: object, by: PortalPerson = maria) =>
  by.ask('POST', requests, { note: 'they asked', ...act });
const inviting = (email: string, ...roles: string[]) => ({
  resource: 'staff',
  id: 'new',
  move: 'invite',
  email,
  roles,
});
const approve = (by: PortalPerson, { id }: ReplyBody) =>
  by.ask('POST', `${requests}/${id}/approve`);
const alone = async (...[method, path, body]: Parameters<PortalPerson['ask']>) =>
  shortOf(await maria.ask(method, path, body));
const auditOf = async (act: string, record: string) => {
  const { rows } = await server.owner.query(
    `select actor_id, body::jsonb -> 'after' as after from control.audit
     where scope = 'platform' and act = $1 and record = $2 and outcome = 'done'`,
    [act, record],
  );
  return rows;
};
const needed = [409, 'approval_required'];

test('one admin invites support, and nobody who may approve', async () => {
  const invite = (email: string, ...roles: string[]) =>
    alone('POST', '/staff-invitations', { email, roles });
  expect((await invite('kim@example.com', 'support'))[0]).toBe(201);
  for (const role of ['admin', 'reviewer'])
    expect(await invite('puppet@example.com', 'support', role)).toEqual(needed);
});

test('one admin gives nobody a role that approves, and takes an admin from nobody', async () => {
  const helper = await portalPerson(server, 'platform', ['support']);
  const other = await portalPerson(server, 'platform', ['admin']);
  const put = (id: string, ...roles: string[]) => alone('PUT', `/staff/${id}`, { roles });
  expect(await put(helper.id, 'reviewer')).toEqual(needed);
  expect(await put(other.id, 'reviewer')).toEqual(needed);
  expect(await alone('DELETE', `/staff/${other.id}`)).toEqual(needed);
  expect((await alone('DELETE', `/staff/${helper.id}`))[0]).toBe(200);
});

test('whoever is invited by two admins is shown to the second, by whom the link is passed on', async () => {
  const made = await ask(inviting('Lea@Example.com', 'admin'));
  expect(made.body).toMatchObject({
    status: 'waiting',
    body: { email: 'Lea@Example.com', roles: ['admin'] },
    effect: {
      changes: [
        { object: 'invitation', field: 'email', before: null, after: 'lea@example.com' },
        { object: 'staff', field: 'roles', before: null, after: 'admin' },
      ],
    },
  });
  expect(made.body).not.toHaveProperty('link');
  const done = await approve(otto, made.body);
  expect(shortOf(done)).toEqual([200, 'approved']);
  const { reply, browser, passkey } = await enrol(server, done.body.link);
  const { id } = reply.body.session.person;
  const { rows } = await server.owner.query(
    'select granted_by, bootstrap from control.roles where person_id = $1',
    [id],
  );
  expect(rows).toEqual([{ granted_by: maria.id, bootstrap: false }]);
  const next = (await ask(inviting('mo@example.com', 'reviewer'))).body;
  const puppet = await signing(browser, passkey)('POST', `${requests}/${next.id}/approve`);
  expect(shortOf(puppet)).toEqual([403, 'invited_by_maker']);
});

test('a request names its people and its Tenant, also who has left since', async () => {
  const { id, email } = await portalPerson(server, 'platform', ['admin']);
  const removal = { resource: 'staff', id, move: 'remove' };
  const made = (await ask(removal)).body;
  const named = [email, maria.email, otto.email].sort();
  const emailsOf = ({ people }: ReplyBody) => people.map((one: ReplyBody) => one.email).sort();
  expect(emailsOf(made)).toEqual([email, maria.email].sort());
  expect(emailsOf((await approve(otto, made)).body)).toEqual(named);
  const { tenantId } = await server.anotherTenant({ name: 'Named Shop' });
  await ask({ resource: 'tenants', id: tenantId, move: 'suspend' });
  const [suspension, removed] = (await maria.ask('GET', requests)).body.data;
  expect(suspension).toMatchObject({ tenant_name: 'Named Shop', people: [{ id: maria.id }] });
  expect(suspension.people).toHaveLength(1);
  expect(emailsOf(removed)).toEqual(named);
  expect(removed.tenant_name).toBeNull();
});

test('the proof of the night explains a role that two admins have given', async () => {
  const { id } = await portalPerson(server, 'platform', ['support']);
  const asked = { resource: 'staff', id, move: 'change', roles: ['reviewer'], note: 'promoted' };
  const made = await ask(asked);
  expect(shortOf(await approve(otto, made.body))).toEqual([200, 'approved']);
  const found = await unexplainedRights(server.service.control);
  expect(found.filter(({ name }) => name.includes(id))).toEqual([]);
});

test('where messages are sent nobody who asks or approves sees the link', async () => {
  const sent: object[] = [];
  const { send } = server.rails.messages;
  Object.assign(server.rails.messages, {
    can: { mail: true, text: false },
    async send({ template, to }: Message) {
      if (template === 'invitation') sent.push(to);
      return { providerId: null };
    },
  });
  const made = (await ask(inviting('nia@example.com', 'reviewer'))).body;
  expect((await approve(otto, made)).body.link).toBeNull();
  await until(() => sent.length > 0);
  expect(sent).toEqual([{ email: 'nia@example.com' }]);
  Object.assign(server.rails.messages, { can: undefined, send });
});

test('nobody asks for or approves a change of the own roles', async () => {
  const act = { resource: 'staff', id: maria.id, move: 'change', roles: ['support'] };
  expect(shortOf(await ask(act))).toEqual([409, 'own_roles']);
  const made = (await ask(act, otto)).body;
  const obstacleFor = async (reader: PortalPerson) =>
    (await reader.ask('GET', `${requests}?status=waiting&limit=1`)).body.data[0].obstacle;
  expect(await obstacleFor(maria)).toEqual({ code: 'invalid_state', reason: 'own_roles' });
  expect(await obstacleFor(otto)).toBeNull();
  expect(shortOf(await approve(maria, made))).toEqual([409, 'own_roles']);
});

test('what an act does not take is refused, and what it lacks is asked for', async () => {
  const refusal = async (act: object) => {
    const { status, body } = await ask(act);
    return [status, body.error.code, body.error.param];
  };
  const invite = inviting('x@example.com', 'admin');
  expect(await refusal({ ...invite, roles: undefined })).toEqual([
    400,
    'parameter_missing',
    'roles',
  ]);
  expect(await refusal({ ...invite, id: 'other' })).toEqual([404, 'not_found', 'id']);
  const removing = { resource: 'staff', id: otto.id, move: 'remove' };
  const more = { ...removing, email: 'x@example.com' };
  expect(await refusal(more)).toEqual([400, 'parameter_invalid', 'email']);
  expect(await refusal({ ...removing, id: 'nobody' })).toEqual([404, 'not_found', null]);
  expect(await refusal({ ...invite, email: otto.email })).toEqual([409, 'invalid_state', 'email']);
});

test("the platform's provider works once two admins have set it, and its secret is shown to none", async () => {
  const provider = await openProvider();
  const back = `${server.service.config.publicUrl}/portal/sign-in/callback/platform`;
  provider.allow('ours', [back]);
  const given = { issuer: provider.issuer, client_id: 'ours', client_secret: provider.secret };
  const act = { resource: 'single-sign-on', id: 'platform', move: 'set' };
  const away = { ...given, issuer: 'http://127.0.0.1:9/' };
  expect(shortOf(await ask({ ...act, provider: away }))[0]).toBe(400);
  const made = await ask({ ...act, provider: { ...given, trust_email: true } });
  expect(shortOf(made)).toEqual([201, 'waiting']);
  const list = await maria.ask('GET', requests);
  const rows = await server.owner.query('select a::text as row from control.approvals a');
  expect(JSON.stringify([made.body, list.body, rows.rows])).not.toContain(provider.secret);
  expect(shortOf(await approve(otto, made.body))).toEqual([200, 'approved']);
  const link = (await maria.ask('POST', '/staff-invitations', support)).body;
  expect(link.email).toBe(support.email);
  provider.accounts.set('sue', { email: support.email, email_verified: true, name: 'Sue' });
  provider.subject = 'sue';
  const visitor = openVisitor(server);
  const address = await visitor.visit(await visitor.begin({ scope: 'platform' }));
  expect(await visitor.comeBack(address)).toBe('/portal');
  expect(await auditOf('putSingleSignOn', 'platform')).toMatchObject([
    { actor_id: otto.id, after: { issuer: provider.issuer, client_id: 'ours' } },
  ]);
});
const support = { email: 'sue@example.com', roles: ['support'] };

test('the first operator gives roles alone while the platform is set up, and the audit says so', async () => {
  const first = await portalPerson(server, 'platform', ['admin']);
  await server.owner.query(
    `update control.role_grants set granted_at = now(), bootstrap = (person_id = $1)
     where scope = 'platform'`,
    [first.id],
  );
  const invited = { email: 'second@example.com', roles: ['admin'] };
  const made = await first.ask('POST', '/staff-invitations', invited);
  expect(made.status).toBe(201);
  expect(await auditOf('createStaffInvitation', made.body.id)).toMatchObject([
    { after: { roles: ['admin'], bootstrap: true } },
  ]);
  expect(await alone('POST', '/staff-invitations', invited)).toEqual(needed);
  await heldLong(server, maria, otto);
  const late = await first.ask('POST', '/staff-invitations', invited);
  expect(shortOf(late)).toEqual(needed);
});
