import { expect, onTestFinished, test, vi } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { newPasskey } from '../../../test/kit/pages/passkey.ts';
import {
  answer,
  enrol,
  invitation,
  openBrowser,
  portalPerson,
  tokenOf,
} from '../../../test/kit/people.ts';
import { openServer, startTestServer } from '../../../test/kit/server.ts';

let nowMs = Date.parse('2026-03-02T15:00:00Z');
const server = await openServer({ own: true, workers: false, realNow: () => nowMs });
const { tenantId } = server.tenant;
const seconds = (count: number) => {
  nowMs += count * 1_000;
};
const minutes = (count: number) => seconds(60 * count);
const origin = new URL(server.service.config.publicUrl).origin;

test('somebody who is invited makes a passkey, sees ten recovery codes once and is signed in', async () => {
  const link = await invitation(server, {
    scope: tenantId,
    email: 'Ruth@Example.com',
    roles: ['developer'],
  });
  expect(link).toMatch(/^http:\/\/localhost:\d+\/portal\/sign-in#invitation=tpi_[\w-]{75}$/);
  const seen = await openBrowser(server).ask('POST', '/accept-invitation/open', {
    token: tokenOf(link),
  });
  expect(seen.body).toMatchObject({
    kind: 'join',
    email: 'ruth@example.com',
    scope_name: 'Test Tenant',
    roles: ['developer'],
    has_passkey: false,
  });
  const { browser, reply } = await enrol(server, link, 'Ruth Park');
  expect(reply.body.session).toMatchObject({
    kind: 'person',
    person: { email: 'ruth@example.com', name: 'Ruth Park' },
    scope: tenantId,
    roles: ['developer'],
    scopes: [{ scope: tenantId, name: 'Test Tenant', roles: ['developer'] }],
    must_add_passkey: false,
    passkeys: 1,
    recovery_codes: 10,
  });
  expect(new Set(reply.body.recovery_codes).size).toBe(10);
  for (const code of reply.body.recovery_codes)
    expect(code).toMatch(/^[a-z2-9]{6}-[a-z2-9]{6}-[a-z2-9]{6}$/);
  const now = await browser.ask('GET', '/session');
  expect(now.body).toEqual(reply.body.session);
});

test('the cookie is out of reach of scripts and other sites, and the database holds no secret as it is', async () => {
  const link = await invitation(server, { scope: tenantId, email: 'c@x.co', roles: ['reader'] });
  const { browser, reply } = await enrol(server, link);
  expect(reply.headers.get('set-cookie')).toMatch(
    /^tp=tps_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const secrets = [
    tokenOf(link),
    (browser.cookie() ?? '').replace('tp=', ''),
    ...reply.body.recovery_codes,
  ];
  for (const table of ['people', 'sessions', 'invitations', 'recovery_codes', 'used_challenges']) {
    const { rows } = await server.owner.query(`select * from control.${table}`);
    for (const secret of secrets) expect(JSON.stringify(rows)).not.toContain(secret);
  }
});

test('an invitation that two browsers accept together makes one person and one passkey', async () => {
  const link = await invitation(server, { scope: tenantId, email: 'two@x.co', roles: ['reader'] });
  const both = await Promise.all([enrol(server, link, 'One'), enrol(server, link, 'Two')]);
  const lines = both.map(({ reply }) => refusalLine(reply)).sort();
  expect(lines).toEqual(['200', 'invalid_state accepted']);
  const { rows } = await server.owner.query(
    `select count(*) as people, (select count(*) from control.person_passkeys k where k.person_id = min(p.id::text)::uuid) as keys
     from control.people p where email = 'two@x.co'`,
  );
  expect(rows).toEqual([{ people: 1, keys: 1 }]);
});

test('whoever accepts an invitation a moment too late is told that it is accepted', async () => {
  const one = await startTestServer({ workers: false, alone: true });
  onTestFinished(() => one.stop());
  const scope = one.tenant.tenantId;
  const link = await invitation(one, { scope, email: 'slow@x.co', roles: ['reader'] });
  const { control } = one.service;
  const query = control.query.bind(control) as (...given: unknown[]) => Promise<unknown>;
  let looks = 0;
  const spy = vi.spyOn(control, 'query').mockImplementation((async (...given: unknown[]) => {
    // At the second look of the slow one, between the invitation and the person: the first accepts it.
    if (String(given[0]).includes('from control.people p where email') && ++looks === 2)
      expect(refusalLine((await enrol(one, link, 'First')).reply)).toBe('200');
    return query(...given);
  }) as never);
  const { reply } = await enrol(one, link, 'Slow');
  spy.mockRestore();
  expect(refusalLine(reply)).toBe('invalid_state accepted');
});

test('an invitation ends after 24 hours, when it is revoked, and when another is made', async () => {
  const [first, second] = [
    await invitation(server, { scope: tenantId, email: 'late@x.co', roles: ['reader'] }),
    await invitation(server, { scope: tenantId, email: 'late@x.co', roles: ['finance'] }),
  ];
  const open = async (link: string) =>
    refusalLine(
      await openBrowser(server).ask('POST', '/accept-invitation/open', { token: tokenOf(link) }),
    );
  expect(await open(first)).toBe('invalid_state revoked');
  expect(await open(second)).toBe('200');
  expect(await open(`x#invitation=tpi_${'a'.repeat(43)}`)).toBe('not_found');
  minutes(24 * 60);
  expect(await open(second)).toBe('invalid_state expired');
});

test('a passkey signs in without a name, in place of the session before', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const before = ruth.cookie();
  minutes(1);
  const reply = await ruth.signIn();
  expect(reply.body).toMatchObject({ person: { email: ruth.email }, roles: ['reader'] });
  expect(ruth.cookie()).not.toBe(before);
  const old = openBrowser(server);
  old.setCookie(before);
  expect((await old.ask('GET', '/session')).status).toBe(401);
  expect((await ruth.ask('GET', '/session')).status).toBe(200);
});

test("an answer is good once, for its own purpose, from this origin and before its challenge's end", async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const begin = async (way: string) => (await ruth.ask('POST', `/${way}/begin`)).body.options;
  const finish = async (way: string, credential: object) =>
    refusalLine(await ruth.ask('POST', `/${way}/finish`, { credential }));
  const once = ruth.passkey.get(await begin('sign-in'));
  expect(await finish('sign-in', once)).toBe('200');
  expect(await finish('sign-in', once)).toMatch(/^parameter_invalid (challenge|not_verified)$/);
  expect(await finish('step-up', ruth.passkey.get(await begin('sign-in')))).toBe(
    'parameter_invalid challenge',
  );
  const elsewhere = ruth.passkey.get(await begin('sign-in'), { origin: 'https://evil.example' });
  expect(await finish('sign-in', elsewhere)).toBe('parameter_invalid not_verified');
  const unseen = ruth.passkey.get(await begin('sign-in'), { flags: 1 });
  expect(await finish('sign-in', unseen)).toBe('parameter_invalid not_verified');
  const late = ruth.passkey.get(await begin('sign-in'));
  minutes(4);
  expect(await finish('sign-in', late)).toBe('parameter_invalid challenge');
  const stranger = newPasskey(origin).get(await begin('sign-in'));
  expect(await finish('sign-in', stranger)).toBe('parameter_invalid unknown_credential');
});

test('a session ends without a request and after twelve hours in any case', async () => {
  const [idle, busy] = [
    await portalPerson(server, tenantId, ['reader']),
    await portalPerson(server, tenantId, ['reader']),
  ];
  const status = async (person: typeof idle) => (await person.ask('GET', '/session')).status;
  minutes(7 * 60);
  expect(await status(busy)).toBe(200);
  await expect.poll(() => touched(busy.id)).toBe(new Date(nowMs).toISOString());
  minutes(60);
  expect([await status(idle), await status(busy)]).toEqual([401, 200]);
  minutes(4 * 60);
  expect(await status(busy)).toBe(401);
});

async function touched(person: string): Promise<string> {
  const { rows } = await server.owner.query(
    'select last_used_at from control.sessions where person_id = $1',
    [person],
  );
  return rows[0].last_used_at;
}

test('step-up is a passkey of the last five minutes, and replaces the token', async () => {
  const owner = await portalPerson(server, tenantId, ['owner']);
  const invite = async (email: string) =>
    refusalLine(await owner.ask('POST', '/invitations', { email, roles: ['reader'] }));
  expect(await invite('fresh@x.co')).toBe('201');
  minutes(5);
  expect(await invite('stale@x.co')).toBe('step_up_required');
  const before = owner.cookie();
  expect((await owner.stepUp()).status).toBe(200);
  expect(owner.cookie()).not.toBe(before);
  expect(await invite('stale@x.co')).toBe('201');
  const other = await portalPerson(server, tenantId, ['owner']);
  const { options } = (await owner.ask('POST', '/step-up/begin')).body;
  const credential = other.passkey.get(options);
  const foreign = await owner.ask('POST', '/step-up/finish', { credential });
  expect(refusalLine(foreign)).toBe('parameter_invalid unknown_credential');
});

test('a write by cookie from another origin is refused, and so is signing in from one', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const write = async (headers: Record<string, string>) =>
    refusalLine(await ruth.ask('POST', '/step-up/begin', {}, { headers }));
  expect(await write({})).toBe('200');
  expect(await write({ 'sec-fetch-site': 'same-origin' })).toBe('200');
  expect(await write({ origin: 'https://evil.example' })).toBe('forbidden origin');
  expect(await write({ 'sec-fetch-site': 'same-site' })).toBe('forbidden origin');
  const bare = { token: null, headers: { cookie: ruth.cookie() ?? '' } };
  expect(refusalLine(await server.call('DELETE', '/portal/api/session', bare))).toBe(
    'forbidden origin',
  );
  const begin = await server.call('POST', '/portal/api/sign-in/begin', { token: null });
  expect(refusalLine(begin)).toBe('forbidden origin');
});

test('signing out ends the session and takes the cookie', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const cookie = ruth.cookie();
  expect((await ruth.ask('DELETE', '/session')).body).toEqual({ ended: 1 });
  expect(ruth.cookie()).toBeNull();
  ruth.setCookie(cookie);
  expect((await ruth.ask('GET', '/session')).status).toBe(401);
  expect((await answer(ruth, 'sign-in', ruth.passkey)).status).toBe(200);
});
