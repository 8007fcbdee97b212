import { expect, test } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { openBrowser, type PortalPerson, portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';

/** A session whose cookie appears elsewhere (rules/sign-in#19). */

const lines: string[] = [];
const server = await openServer({
  workers: false,
  alone: true,
  config: { trustedProxies: ['127.0.0.0/8'] },
  onLog: (line) => lines.push(line),
});
const { sent } = server;
const { tenantId } = server.tenant;

const home = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Laptop' };
const abroad = { 'x-forwarded-for': '203.0.113.80', 'user-agent': 'Other' };

/** Somebody who signed in at home. */
async function atHome(): Promise<PortalPerson> {
  const person = await portalPerson(server, tenantId, ['owner']);
  const { options } = (await person.bare.ask('POST', '/sign-in/begin', {}, { headers: home })).body;
  const credential = person.passkey.get(options);
  const reply = await person.bare.ask('POST', '/sign-in/finish', { credential }, { headers: home });
  expect(reply.status).toBe(200);
  lines.length = 0;
  sent.length = 0;
  return person;
}

const write = async (
  { bare }: Pick<PortalPerson, 'bare'>,
  headers: Record<string, string>,
  color = '#123456',
) => {
  const { branding } = (await bare.ask('GET', '/settings', undefined, { headers })).body;
  const body = { branding: { ...branding, primary_color: color } };
  return refusalLine(await bare.ask('PUT', '/settings', body, { headers }));
};

const events = () => lines.filter((line) => line.includes('"session_moved"'));

test('a cookie in another network and another browser writes nothing before its person proves to be there', async () => {
  const ruth = await atHome();
  const thief = { bare: openBrowser(server) };
  thief.bare.setCookie(ruth.cookie());
  expect(await write(thief, abroad)).toBe('step_up_required moved');
  expect(await write(ruth, home)).toBe('step_up_required moved');
  const { data } = (await ruth.bare.ask('GET', '/my-sessions', undefined, { headers: home })).body;
  expect(data).toContainEqual(
    expect.objectContaining({
      current: true,
      client_address: home['x-forwarded-for'],
      last_address: home['x-forwarded-for'],
      last_browser: 'Laptop',
      moved_at: expect.any(String),
    }),
  );
  const ask = (path: string, body?: object) => ruth.bare.ask('POST', path, body, { headers: home });
  const credential = ruth.passkey.get((await ask('/step-up/begin')).body.options);
  expect((await ask('/step-up/finish', { credential })).status).toBe(200);
  expect(await write(ruth, home)).toBe('200');
  expect(await write(thief, abroad)).toBe('authentication_required');
});

test('it is a security event, and its person is told once for each move', async () => {
  const ruth = await atHome();
  for (let times = 0; times < 3; times += 1)
    await ruth.bare.ask('GET', '/session', undefined, { headers: abroad });
  expect(events()).toHaveLength(1);
  expect(JSON.parse(events()[0] ?? '')).toMatchObject({
    person_id: ruth.id,
    before: home['x-forwarded-for'],
    client_address: abroad['x-forwarded-for'],
  });
  await until(() => sent.length > 0, { what: 'the message' });
  expect(sent).toMatchObject([
    {
      tenantId,
      to: { email: ruth.email },
      template: 'session_moved',
      data: { address: '203.0.113.80' },
      rendered: { text: expect.stringContaining('203.0.113.80') },
    },
  ]);
});

test.each([
  ['another address of the same network', { ...home, 'x-forwarded-for': '198.51.100.200' }],
  ['another network', { ...home, 'x-forwarded-for': '203.0.113.80' }],
  ['another browser', { ...home, 'user-agent': 'Laptop 2' }],
])('%s alone asks for nothing', async (_, headers) => {
  const ruth = await atHome();
  expect(await write(ruth, headers)).toBe('200');
  expect([events(), sent]).toEqual([[], []]);
});

test('whoever is asked may sign out, and a step-up of the window before counts no more', async () => {
  const ruth = await atHome();
  const headers = abroad;
  const options = { headers };
  const keys = { name: 'x', roles: ['reader'], expires_at: '2030-01-01T00:00:00Z' };
  expect(refusalLine(await ruth.bare.ask('POST', '/api-keys', keys, options))).toBe(
    'step_up_required moved',
  );
  expect((await ruth.bare.ask('GET', '/session', undefined, options)).body.fresh_until).toBeNull();
  expect((await ruth.bare.ask('DELETE', '/session', undefined, options)).body).toEqual({
    ended: 1,
  });
});
