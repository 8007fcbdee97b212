import { expect, test } from 'vitest';
import { openDevice } from '../../../test/kit/device.ts';
import type { Reply } from '../../../test/kit/http/http.ts';
import { openBrowser, portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';

/** A gateway appends the port of each connection, so no two requests of a client look alike. */
const server = await openServer({
  workers: false,
  alone: true,
  config: { trustedProxies: ['127.0.0.0/8'] },
});
const { tenantId } = server.tenant;

let port = 40_000;
const from = (address: string) => {
  port += 1;
  const shown = address.includes(':') ? `[${address}]` : address;
  return { 'x-forwarded-for': `${shown}:${port}` };
};
const remaining = ({ headers }: Reply) => Number(headers.get('ratelimit-remaining'));

/** How many fewer requests are left after each. */
async function taken(ask: () => Promise<Reply>): Promise<number[]> {
  const [first, second, third] = [await ask(), await ask(), await ask()].map(remaining);
  return [Number(first) - Number(second), Number(second) - Number(third)];
}

test.each(['192.0.2.1', '2001:db8:f0::1'])(
  'failed sign-ins of %s are counted together, whatever its port',
  async (address) => {
    const recover = (count: number) =>
      openBrowser(server).ask(
        'POST',
        '/sign-in/recovery',
        { email: `n${count}-${port}@example.com`, recovery_code: 'x' },
        { headers: from(address) },
      );
    for (let count = 0; count < 10; count += 1) expect((await recover(count)).status).toBe(400);
    expect((await recover(10)).status).toBe(429);
  },
);

test('words instead of an address are counted together, as the proxy that wrote them', async () => {
  const recover = (word: string) =>
    openBrowser(server).ask(
      'POST',
      '/sign-in/recovery',
      { email: `${word}@example.com`, recovery_code: 'x' },
      { headers: { 'x-forwarded-for': `${word}, 127.9.9.9:80` } },
    );
  for (let count = 0; count < 10; count += 1) expect((await recover(`x${count}`)).status).toBe(400);
  expect((await recover('x10')).status).toBe(429);
});

test('wrong secrets are counted by the address, whatever its port', async () => {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'nobody',
    client_secret: 'cs_wrong',
  }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const ask = () =>
    server.call('POST', '/oauth/token', {
      token: null,
      body,
      headers: { ...type, ...from('192.0.2.2') },
    });
  expect(await taken(ask)).toEqual([1, 1]);
});

test('hosted pages are counted by the address, whatever its port', async () => {
  const ask = () =>
    server.call('POST', '/hosted/api/open', {
      token: null,
      body: { token: `st_${'a'.repeat(43)}` },
      headers: from('192.0.2.3'),
    });
  expect(await taken(ask)).toEqual([1, 1]);
});

test('device codes are counted by the address, and show it to who approves', async () => {
  const body = { client_name: 'Laptop' };
  const ask = () =>
    server.call('POST', '/portal/api/device-sign-in/begin', {
      token: null,
      body,
      headers: from('192.0.2.4'),
    });
  expect(await taken(ask)).toEqual([1, 1]);
  const owner = await portalPerson(server, tenantId, ['owner']);
  const { begun } = await openDevice(server, undefined, from('192.0.2.5'));
  const { user_code } = begun;
  const opened = await owner.ask('POST', '/device-sign-in/open', { user_code });
  expect(opened.body).toMatchObject({ client_address: '192.0.2.5' });
});

test('audit and the list of sessions show the address without its port', async () => {
  const owner = await portalPerson(server, tenantId, ['owner']);
  const [code] = owner.recoveryCodes;
  const browser = openBrowser(server);
  const { email } = owner;
  const reply = await browser.ask(
    'POST',
    '/sign-in/recovery',
    { email, recovery_code: code },
    { headers: from('2001:db8:f1::1') },
  );
  const { rows } = await server.owner.query(
    'select address from control.audit where request_id = $1',
    [reply.headers.get('service-request-id')],
  );
  expect(rows).toEqual([{ address: '2001:db8:f1::1' }]);
  const { rows: sessions } = await server.owner.query(
    'select address from control.sessions where person_id = $1 order by created_at desc limit 1',
    [owner.id],
  );
  expect(sessions).toEqual([{ address: '2001:db8:f1::1' }]);
});
