import { expect, test } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { newPasskey } from '../../../test/kit/pages/passkey.ts';
import { answer, enrol, openBrowser, portalPerson, reset } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';

let nowMs = Date.parse('2026-03-02T15:00:00Z');
const server = await openServer({
  workers: false,
  realNow: () => nowMs,
  config: { trustedProxies: ['127.0.0.0/8'] },
});
const { tenantId } = server.tenant;
const origin = new URL(server.service.config.publicUrl).origin;

const recover = (
  email: string,
  recovery_code: string,
  from = '198.51.100.1',
  browser = openBrowser(server),
) =>
  browser.ask(
    'POST',
    '/sign-in/recovery',
    { email, recovery_code },
    { headers: { 'x-forwarded-for': from } },
  );

test('a recovery code ends every other session, and its own does nothing before a new passkey', async () => {
  const ruth = await portalPerson(server, tenantId, ['owner']);
  const browser = openBrowser(server);
  const [code = ''] = ruth.recoveryCodes;
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')}`;
  const { body } = await recover(ruth.email.toUpperCase(), typed, '198.51.100.1', browser);
  expect(body).toMatchObject({
    must_add_passkey: true,
    roles: [],
    fresh_until: null,
    recovery_codes: 9,
  });
  expect((await ruth.ask('GET', '/session')).status).toBe(401);
  expect(refusalLine(await browser.ask('GET', '/members'))).toBe('forbidden passkey_required');
  expect(refusalLine(await browser.ask('GET', '/my-passkeys'))).toBe('forbidden passkey_required');
  const { options } = (await browser.ask('POST', '/my-passkeys/begin')).body;
  const credential = newPasskey(origin).create(options);
  const added = await browser.ask('POST', '/my-passkeys', { credential, name: 'New phone' });
  expect(added.body).toMatchObject({ name: 'New phone' });
  expect((await browser.ask('GET', '/members')).status).toBe(200);
  expect((await browser.ask('GET', '/session')).body).toMatchObject({
    must_add_passkey: false,
    passkeys: 2,
  });
});

test('a recovery code signs in once, however many send it together', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const [code = ''] = ruth.recoveryCodes;
  const lines = await Promise.all(
    Array.from({ length: 6 }, async () =>
      refusalLine(await recover(ruth.email, code, '198.51.100.2')),
    ),
  );
  expect(lines.filter((line) => line === '200')).toHaveLength(1);
  expect(lines.filter((line) => line === 'parameter_invalid wrong')).toHaveLength(5);
});

test('a known and an unknown address are refused alike, up to the tenth time and after it', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const tries = async (email: string, network: string) => {
    const said: object[] = [];
    for (let count = 0; count < 12; count += 1) {
      const { status, body } = await recover(email, 'aaaaaa-bbbbbb-cccccc', `${network}.${count}`);
      said.push({ status, ...body.error, request_id: '' });
    }
    return said;
  };
  const known = await tries(ruth.email, '203.0.113');
  expect(known).toEqual(await tries('nobody@example.com', '192.0.2'));
  expect(known.map((each) => 'status' in each && each.status)).toEqual([
    ...Array(10).fill(400),
    429,
    429,
  ]);
  expect(refusalLine(await recover(ruth.email, ruth.recoveryCodes[0] ?? '', '198.51.100.9'))).toBe(
    'rate_limited',
  );
  // Whoever knows an address keeps nobody from signing in by passkey.
  expect((await ruth.signIn()).status).toBe(200);
  nowMs += 15 * 60_000;
  expect((await recover(ruth.email, ruth.recoveryCodes[0] ?? '')).status).toBe(200);
});

test('an address is refused after ten failures of any kind, also when they are sent together', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.77' };
  const lines = await Promise.all(
    Array.from({ length: 30 }, async (_, count) =>
      refusalLine(await recover(`n${count}@example.com`, 'x', '198.51.100.77')),
    ),
  );
  expect(lines.filter((line) => line === 'parameter_invalid wrong')).toHaveLength(10);
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const mine = await recover(ruth.email, ruth.recoveryCodes[0] ?? '', '198.51.100.77');
  expect(refusalLine(mine)).toBe('rate_limited');
  const link = { token: `tpl_${'a'.repeat(43)}` };
  const browser = openBrowser(server);
  const reply = await browser.ask('POST', '/sign-in/link', link, { headers });
  expect(refusalLine(reply)).toBe('rate_limited');
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(800);
});

test('a right passkey and a right link are taken, however many wrong codes came from their address', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.99' };
  const ruth = await portalPerson(server, tenantId, ['owner']);
  for (let count = 0; count < 12; count += 1) await recover(`n${count}@x.co`, 'x', '198.51.100.99');
  const send = async (path: string, body?: object) => ruth.ask('POST', path, body, { headers });
  for (const way of ['sign-in', 'step-up']) {
    const { options } = (await send(`/${way}/begin`)).body;
    const wrong = ruth.passkey.get(options, { flags: 1 });
    expect(refusalLine(await send(`/${way}/finish`, { credential: wrong }))).toMatch(
      way === 'sign-in' ? 'rate_limited' : 'parameter_invalid not_verified',
    );
    const right = ruth.passkey.get((await send(`/${way}/begin`)).body.options);
    expect(refusalLine(await send(`/${way}/finish`, { credential: right }))).toBe('200');
  }
  const asked = { email: 'new@example.com', roles: ['reader'] };
  const { link } = (await ruth.ask('POST', '/invitations', asked)).body;
  const opened = await send('/accept-invitation/open', { token: link.replace(/^.*#\w+=/, '') });
  expect(refusalLine(opened)).toBe('200');
});

test('new recovery codes end the earlier ones', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const { status, body } = await ruth.ask('POST', '/my-recovery-codes');
  expect([status, body.recovery_codes.length]).toEqual([201, 10]);
  expect(refusalLine(await recover(ruth.email, ruth.recoveryCodes[0] ?? ''))).toBe(
    'parameter_invalid wrong',
  );
  expect((await recover(ruth.email, body.recovery_codes[3])).status).toBe(200);
});

test('a reset ends sessions at once, and passkeys and codes when its link is used', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const { link } = await reset(server, ruth.email);
  expect((await ruth.ask('GET', '/session')).status).toBe(401);
  expect((await ruth.signIn()).status).toBe(200);
  const { browser, passkey, reply } = await enrol(server, link);
  expect(reply.body).toMatchObject({
    session: { passkeys: 1, roles: ['reader'] },
    recovery_codes: expect.any(Array),
  });
  expect((await ruth.ask('GET', '/session')).status).toBe(401);
  expect(refusalLine(await ruth.signIn())).toBe('parameter_invalid unknown_credential');
  expect(refusalLine(await recover(ruth.email, ruth.recoveryCodes[0] ?? ''))).toBe(
    'parameter_invalid wrong',
  );
  expect((await answer(browser, 'sign-in', passkey)).status).toBe(200);
});

test('passkeys are named and removed, and the last one stays, also when two are removed together', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const other = await portalPerson(server, tenantId, ['reader']);
  const { options } = (await ruth.ask('POST', '/my-passkeys/begin')).body;
  const credential = newPasskey(origin).create(options);
  nowMs += 1;
  await ruth.ask('POST', '/my-passkeys', { credential, name: 'Key' });
  const list = async () =>
    (await ruth.ask('GET', '/my-passkeys')).body.data as { id: string; name: string }[];
  const [first, second] = await list();
  await ruth.ask('PUT', `/my-passkeys/${first?.id}`, { name: 'Laptop' });
  expect((await list()).map(({ name }) => name)).toEqual(['Laptop', 'Key']);
  expect(refusalLine(await other.ask('DELETE', `/my-passkeys/${first?.id}`))).toBe('not_found');
  expect(refusalLine(await other.ask('PUT', `/my-passkeys/${first?.id}`, { name: 'x' }))).toBe(
    'not_found',
  );
  const lines = await Promise.all(
    [first, second].map(async (one) =>
      refusalLine(await ruth.ask('DELETE', `/my-passkeys/${one?.id}`)),
    ),
  );
  expect(lines.sort()).toEqual(['200', 'invalid_state last_passkey']);
  expect(await list()).toHaveLength(1);
});

test('a person sees the own sessions alone, and ends one or all others', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const other = await portalPerson(server, tenantId, ['reader']);
  const headers = { 'user-agent': 'Phone', 'x-forwarded-for': '198.51.100.5' };
  const phone = openBrowser(server);
  const { options } = (await phone.ask('POST', '/sign-in/begin')).body;
  await phone.ask(
    'POST',
    '/sign-in/finish',
    { credential: ruth.passkey.get(options) },
    { headers },
  );
  const { data } = (await ruth.ask('GET', '/my-sessions')).body;
  expect(data).toHaveLength(2);
  expect(data.find(({ current }: { current: boolean }) => !current)).toMatchObject({
    browser: 'Phone',
    client_address: '198.51.100.5',
    opened_by: 'passkey',
    scope: tenantId,
  });
  const id = data.find(({ current }: { current: boolean }) => !current).id;
  expect(refusalLine(await other.ask('DELETE', `/my-sessions/${id}`))).toBe('not_found');
  expect((await ruth.ask('DELETE', `/my-sessions/${id}`)).body).toEqual({ ended: 1 });
  expect((await phone.ask('GET', '/session')).status).toBe(401);
  await answer(phone, 'sign-in', ruth.passkey);
  expect((await ruth.ask('DELETE', '/my-sessions')).body).toEqual({ ended: 1 });
  expect((await phone.ask('GET', '/session')).status).toBe(401);
  expect((await ruth.ask('GET', '/session')).status).toBe(200);
});

test('a passkey that was removed signs nobody in, also if its row is shown again', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const passkey = newPasskey(origin);
  const credential = passkey.create((await ruth.ask('POST', '/my-passkeys/begin')).body.options);
  const { id } = (await ruth.ask('POST', '/my-passkeys', { credential, name: 'Key' })).body;
  const signIn = async () => refusalLine(await answer(openBrowser(server), 'sign-in', passkey));
  expect(await signIn()).toBe('200');
  await ruth.ask('DELETE', `/my-passkeys/${id}`);
  expect(await signIn()).toBe('parameter_invalid unknown_credential');
  await server.owner.query('update control.passkeys set removed_at = null where id = $1', [id]);
  expect(await signIn()).toBe('parameter_invalid not_verified');
});
