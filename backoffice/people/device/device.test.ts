import { beforeEach, expect, test } from 'vitest';
import { openDevice } from '../../../test/kit/device.ts';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { openBrowser, portalPerson } from '../../../test/kit/people.ts';
import { openServer, startTestServer, type TestTenant } from '../../../test/kit/server.ts';

let nowMs = Date.now();
const server = await openServer({
  workers: false,
  realNow: () => nowMs,
  config: { trustedProxies: ['127.0.0.0/8'] },
});
const { service, owner } = server;
let tenant: TestTenant;
beforeEach(async () => {
  tenant = await server.anotherTenant();
});

const seconds = (count: number) => {
  nowMs += count * 1_000;
};
const inDays = (days: number) => new Date(nowMs + days * 86_400_000).toISOString();
const person = (...roles: Parameters<typeof portalPerson>[2]) =>
  portalPerson(server, tenant.tenantId, roles);
let networks = 0;
/** A client at an address of its own, so that no test meets another's limits. */
const somewhere = () => {
  networks += 1;
  return { 'x-forwarded-for': `198.51.${networks >> 8}.${networks & 255}` };
};
const device = (...roles: Parameters<typeof portalPerson>[2]) =>
  openDevice(server, roles.length > 0 ? roles : undefined, somewhere());
type Person = Awaited<ReturnType<typeof portalPerson>>;
/** @param shown the scope that the page names, where it names one */
const decide = (
  who: Person,
  move: string,
  user_code: string,
  { shown, ...more }: { readonly shown?: string; readonly [field: string]: unknown } = {},
) =>
  who.ask(
    'POST',
    `/device-sign-in/${move}`,
    { user_code, ...more },
    {
      headers: { ...somewhere(), ...(shown && { 'session-scope': shown }) },
    },
  );
const portal = (key: string, path: string) =>
  server.call('GET', `/portal/api/${path}`, { token: key });

test('a program gets a key with the roles that somebody who is signed in lets it have', async () => {
  const ana = await person('owner');
  const { begun, poll } = await device('developer', 'finance');
  expect(begun).toEqual({
    device_code: expect.stringMatching(/^tpd_[\w-]{75}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${service.config.publicUrl}/portal/device`,
    verification_uri_complete: `${service.config.publicUrl}/portal/device#code=${begun.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  expect(refusalLine(await poll())).toBe('invalid_state authorization_pending');
  const typed = ` ${begun.user_code.toLowerCase().replace('-', '')}`;
  const seen = await decide(ana, 'open', typed);
  expect(seen.body).toMatchObject({
    status: 'waiting',
    client_name: 'Laptop of Ana',
    client_address: expect.stringMatching(/^198\.51\./),
    asked_roles: ['developer', 'finance'],
    scope: tenant.tenantId,
    scope_name: 'Test Tenant',
    roles: ['developer', 'finance'],
    allowed_roles: ['developer', 'finance', 'reader'],
    key_expires_at: inDays(90),
  });
  const approved = await decide(ana, 'approve', typed, { roles: ['developer'] });
  expect(approved.body).toMatchObject({ status: 'approved', roles: ['developer'] });
  seconds(5);
  const { status, body } = await poll();
  expect([status, body]).toMatchObject([
    200,
    {
      name: 'Laptop of Ana',
      scope: tenant.tenantId,
      roles: ['developer'],
      person_id: ana.id,
      made_by: 'device',
      expires_at: approved.body.key_expires_at,
    },
  ]);
  expect((await portal(body.key, 'requests')).status).toBe(200);
  expect((await portal(body.key, 'members')).status).toBe(403);
  const listed = await portal(body.key, 'api-keys');
  expect(listed.body.data).toMatchObject([{ id: body.id, made_by: 'device', status: 'active' }]);
  seconds(5);
  expect(refusalLine(await poll())).toBe('invalid_state expired_token');
});

test('a poll that comes too early is told so, and makes the interval five seconds longer', async () => {
  const { poll } = await device();
  await poll();
  seconds(4);
  const early = await poll();
  expect(early.body.error).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'slow_down', interval: 10 },
  });
  seconds(9);
  expect((await poll()).body.error.details).toEqual({ reason: 'slow_down', interval: 15 });
  seconds(15);
  expect(refusalLine(await poll())).toBe('invalid_state authorization_pending');
});

test('of many polls at once, on two processes, one gets a key', async () => {
  const second = await startTestServer({ beside: server, workers: false });
  const ana = await person('developer');
  for (const round of [1, 2, 3]) {
    const { begun, poll } = await device();
    await decide(ana, 'approve', begun.user_code);
    // So that none comes too early, and all of them reach for the key.
    await owner.query('update control.device_sign_ins set interval_seconds = 0');
    const body = { device_code: begun.device_code };
    const elsewhere = () =>
      second.call('POST', '/portal/api/device-sign-in/token', { token: null, body });
    const lines = await Promise.all(
      Array.from({ length: 6 }, (_, place) => (place % 2 ? poll() : elsewhere())),
    );
    expect(lines.map(refusalLine).filter((line) => line === '200')).toHaveLength(1);
    const { rows } = await owner.query('select id from control.api_keys where person_id = $1', [
      ana.id,
    ]);
    expect(rows).toHaveLength(round);
  }
  await second.stop();
});

test('of approvals and denials at once one holds, and a decided code takes no other', async () => {
  const [ana, ben] = [await person('developer'), await person('developer')];
  const { begun, poll } = await device();
  const replies = await Promise.all(
    [ana, ben].flatMap((who) => [
      decide(who, 'approve', begun.user_code),
      decide(who, 'deny', begun.user_code),
    ]),
  );
  const lines = replies.map(refusalLine).sort();
  expect(lines).toEqual(['200', ...Array(3).fill('invalid_state decided')]);
  const held = replies.find(({ status }) => status === 200)?.body.status;
  expect(refusalLine(await poll())).toBe(
    held === 'approved' ? '200' : 'invalid_state access_denied',
  );
  expect(refusalLine(await decide(ana, 'open', begun.user_code))).toMatch(/decided|not_found/);
});

test('a page that shows where the key would act decides nothing once the session acts elsewhere', async () => {
  const ana = await person('developer');
  const { tenantId: elsewhere } = await server.anotherTenant();
  await owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at) values ($1, $2, 'developer', '2020-01-01')`,
    [elsewhere, ana.id],
  );
  const { begun, poll } = await device();
  const shown = (await decide(ana, 'open', begun.user_code)).body.scope;
  await ana.ask('POST', '/session/act', { scope: elsewhere });
  for (const move of ['approve', 'deny'])
    expect(refusalLine(await decide(ana, move, begun.user_code, { shown }))).toBe(
      'forbidden acts_elsewhere',
    );
  expect(refusalLine(await poll())).toBe('invalid_state authorization_pending');
  const approved = await decide(ana, 'approve', begun.user_code, { shown: elsewhere });
  expect([approved.status, approved.body.scope]).toEqual([200, elsewhere]);
});

test('a denied program gets no key, however often it asks', async () => {
  const ana = await person('reader');
  const { begun, poll } = await device();
  expect((await decide(ana, 'deny', begun.user_code)).body.status).toBe('denied');
  for (let times = 0; times < 2; times += 1)
    expect(refusalLine(await poll())).toBe('invalid_state access_denied');
});

test('a code ends after ten minutes, approved or not, and is removed later', async () => {
  const ana = await person('developer');
  const [asked, approved] = [await device(), await device()];
  await decide(ana, 'approve', approved.begun.user_code);
  seconds(600);
  for (const { poll } of [asked, approved])
    expect(refusalLine(await poll())).toBe('invalid_state expired_token');
  await ana.signIn();
  expect(refusalLine(await decide(ana, 'approve', asked.begun.user_code))).toBe(
    'invalid_state expired',
  );
  seconds(600);
  await device();
  expect(refusalLine(await decide(ana, 'open', asked.begun.user_code))).toBe('not_found');
  const { rows } = await owner.query('select id from control.device_sign_ins');
  expect(rows).toHaveLength(1);
});

test('an approver who loses the role, regains it, or is disabled before the poll gives no key', async () => {
  const granted = async (id: string) => {
    await owner.query(
      `delete from control.roles where person_id = $1 and role = 'developer'
       returning person_id`,
      [id],
    );
  };
  const cases = {
    loses: granted,
    regains: async (id: string) => {
      await granted(id);
      seconds(1);
      await owner.query(
        `insert into control.role_grants (scope, person_id, role, granted_at) values ($1, $2, 'developer', $3)`,
        [tenant.tenantId, id, new Date(nowMs).toISOString()],
      );
    },
    disabled: async (id: string) => {
      await owner.query('update control.people set disabled_at = now() where id = $1', [id]);
    },
    suspended: async () => {
      await owner.query(
        `update tenants set suspended_at = now(), suspended_reason = 'test' where tenant_id = $1`,
        [tenant.tenantId],
      );
    },
  };
  for (const [name, happens] of Object.entries(cases)) {
    const ana = await person('developer', 'finance');
    const { begun, poll } = await device('developer');
    expect((await decide(ana, 'approve', begun.user_code)).status).toBe(200);
    await happens(ana.id);
    expect([name, refusalLine(await poll())]).toEqual([name, 'invalid_state access_denied']);
  }
  const { rows } = await owner.query('select id from control.api_keys where scope = $1', [
    tenant.tenantId,
  ]);
  expect(rows).toEqual([]);
});

test('the roles are cut to those of the approver, who cannot give others', async () => {
  const dev = await person('developer');
  const asksOwner = await device('owner');
  expect((await decide(dev, 'open', asksOwner.begun.user_code)).body).toMatchObject({
    asked_roles: ['owner'],
    roles: ['developer'],
    allowed_roles: ['developer', 'reader'],
  });
  const above = await decide(dev, 'approve', asksOwner.begun.user_code, { roles: ['owner'] });
  expect(refusalLine(above)).toBe('parameter_invalid not_allowed');
  const asksAdmin = await device('admin');
  expect((await decide(dev, 'open', asksAdmin.begun.user_code)).body.allowed_roles).toEqual([]);
  expect(refusalLine(await decide(dev, 'approve', asksAdmin.begun.user_code))).toBe(
    'invalid_state no_common_role',
  );
  const asksReader = await device('reader');
  const more = await decide(dev, 'approve', asksReader.begun.user_code, { roles: ['developer'] });
  expect(refusalLine(more)).toBe('parameter_invalid not_allowed');
});

test('a role of staff is given only to a program that asks for it by name, for a day', async () => {
  const boss = await portalPerson(server, 'platform', ['admin']);
  const asksNothing = await device();
  expect((await decide(boss, 'open', asksNothing.begun.user_code)).body).toMatchObject({
    asked_roles: [],
    roles: [],
    allowed_roles: [],
  });
  for (const more of [{}, { roles: ['reviewer'] }, { roles: ['support'] }])
    expect(refusalLine(await decide(boss, 'approve', asksNothing.begun.user_code, more))).toBe(
      'invalid_state no_common_role',
    );
  const asksReviewer = await device('reviewer');
  const until = (days: number) =>
    decide(boss, 'approve', asksReviewer.begun.user_code, { expires_at: inDays(days) });
  expect(refusalLine(await until(2))).toBe('parameter_invalid too_late');
  const approved = await decide(boss, 'approve', asksReviewer.begun.user_code);
  expect(approved.body).toMatchObject({ roles: ['reviewer'], key_expires_at: inDays(1) });
  expect((await asksReviewer.poll()).body).toMatchObject({
    roles: ['reviewer'],
    expires_at: inDays(1),
  });
});

test('the key ends when the approver says, in a year at the latest', async () => {
  const dev = await person('developer');
  const { begun, poll } = await device();
  const until = (days: number) =>
    decide(dev, 'approve', begun.user_code, { expires_at: inDays(days) });
  expect(refusalLine(await until(366))).toBe('parameter_invalid too_late');
  expect(refusalLine(await until(-1))).toBe('parameter_invalid past');
  expect((await until(7)).body.key_expires_at).toBe(inDays(7));
  expect((await poll()).body.expires_at).toBe(inDays(7));
});

test('only a person who is signed in and fresh approves; nobody else opens a code', async () => {
  const dev = await person('developer');
  const { begun } = await device();
  const body = { user_code: begun.user_code };
  const stranger = openBrowser(server);
  expect((await stranger.ask('POST', '/device-sign-in/open', body)).status).toBe(401);
  const program = { token: tenant.token, body };
  const byProgram = await server.call('POST', '/portal/api/device-sign-in/approve', program);
  expect(refusalLine(byProgram)).toBe('forbidden no_person');
  seconds(300);
  expect(refusalLine(await decide(dev, 'approve', begun.user_code))).toBe('step_up_required');
  expect((await decide(dev, 'open', begun.user_code)).status).toBe(200);
  const elsewhere = { headers: { origin: 'https://evil.example' } };
  const deny = await dev.ask('POST', '/device-sign-in/deny', body, elsewhere);
  expect(refusalLine(deny)).toBe('forbidden origin');
});

test('ten wrong codes of a person, and the next is refused also if it is right', async () => {
  const dev = await person('developer');
  const { begun } = await device();
  const lines = await Promise.all(
    Array.from({ length: 14 }, async () => refusalLine(await decide(dev, 'open', 'BBBB-BBBB'))),
  );
  expect(lines.filter((line) => line === 'not_found')).toHaveLength(10);
  expect(lines.filter((line) => line === 'rate_limited')).toHaveLength(4);
  expect(refusalLine(await decide(dev, 'approve', begun.user_code))).toBe('rate_limited');
});

test('one address gets thirty codes in a minute', async () => {
  const from = somewhere();
  for (let count = 0; count < 30; count += 1) await openDevice(server, undefined, from);
  await expect(openDevice(server, undefined, from)).rejects.toThrow('rate_limited');
  expect((await openDevice(server, undefined, somewhere())).begun.interval).toBe(5);
});

test('the database holds no code and no key', async () => {
  const dev = await person('developer');
  const { begun, poll } = await device();
  await decide(dev, 'approve', begun.user_code);
  const { rows } = await owner.query(
    'select to_jsonb(d)::text as row from control.device_sign_ins d',
  );
  const { body } = await poll();
  const keys = await owner.query('select to_jsonb(k)::text as row from control.api_keys k');
  const stored = [...rows, ...keys.rows].map(({ row }) => row).join();
  const letters = begun.user_code.replace('-', '');
  for (const secret of [begun.device_code, begun.user_code, letters, body.key])
    expect(stored).not.toContain(secret);
});
