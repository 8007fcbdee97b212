import { settingOwners } from '@tenant-payments/contract/core/setting_facts.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { expect, test } from 'vitest';
import type { Reply } from '../../test/kit/http/http.ts';
import { type PortalPerson, portalPerson } from '../../test/kit/people.ts';
import { openServer } from '../../test/kit/server.ts';
import { moveStepUp, settingStepUp } from '../contract/step_up.ts';

/**
 * Acts that want step-up because of what they ask for (rules/people#6), of people and of API keys.
 */

const server = await openServer({ workers: false });
const { tenant } = server;
const { tenantId } = tenant;
const named = { headers: { 'tenant-id': tenantId } };
const now: Settings = await server.api.get('/portal/api/settings');

const owner = await portalPerson(server, tenantId, ['owner']);
const admin = await portalPerson(server, 'platform', ['admin']);

const makeStale = ({ id }: PortalPerson) =>
  server.owner.query('update control.sessions set stepped_up_at = null where person_id = $1', [id]);

async function keyOf(person: PortalPerson, roles: readonly string[]): Promise<string> {
  await person.stepUp();
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const reply = await person.ask('POST', '/api-keys', { name: 'A program', roles, expires_at });
  return reply.body.key;
}

const keys = {
  owner: await keyOf(owner, ['owner']),
  admin: await keyOf(admin, ['admin']),
};

const told = ({ status, body }: Reply): string => body?.error?.code ?? String(status);

const byKey = (key: string, method: string, path: string, body: object) =>
  server.call(method, `/portal/api${path}`, { token: key, body, ...(key === keys.admin && named) });

const settings = Object.keys(settingStepUp) as (keyof typeof settingStepUp)[];

test.each(settings)(
  '%s is set with a step-up, or without, as its row of the table says',
  async (key) => {
    const side = settingOwners[key] === 'platform' ? 'admin' : 'owner';
    const person = { owner, admin }[side];
    const options = side === 'admin' ? named : {};
    const changes = {
      [key]: key === 'branding' ? { ...now.branding, name: 'Other Name' } : now[key],
    };
    const wanted = settingStepUp[key] === false ? '200' : 'step_up_required';
    await makeStale(person);
    expect(told(await person.ask('PUT', '/settings', changes, options))).toBe(wanted);
    expect(told(await byKey(keys[side], 'PUT', '/settings', changes))).toBe(wanted);
    await person.stepUp();
    expect(told(await person.ask('PUT', '/settings', changes, options))).toBe('200');
  },
);

test('a color changes without a step-up, and the name beside it does not', async () => {
  await makeStale(owner);
  const { branding }: Settings = await server.api.get('/portal/api/settings');
  const put = (more: object) =>
    byKey(keys.owner, 'PUT', '/settings', { branding: { ...branding, ...more } });
  expect(told(await put({ primary_color: '#123456' }))).toBe('200');
  expect(told(await put({ primary_color: '#123456', name: 'Chase Bank' }))).toBe(
    'step_up_required',
  );
  expect(await server.api.get('/portal/api/settings')).toMatchObject({
    branding: { name: branding.name, primary_color: '#123456' },
  });
});

test('one key that wants a step-up refuses the others beside it', async () => {
  const changes = { sandbox_mode: 'automatic', frame_origins: ['https://evil.example'] };
  expect(told(await byKey(keys.owner, 'PUT', '/settings', changes))).toBe('step_up_required');
  expect(await server.api.get('/portal/api/settings')).toMatchObject({
    sandbox_mode: 'manual',
    frame_origins: [],
  });
});

const moves = Object.entries(moveStepUp).flatMap(([resource, ofMoves]) =>
  Object.entries(ofMoves).map(([move, wants]) => [`${resource}/unknown/${move}`, wants] as const),
);

test.each(moves)('the move %s asks for a step-up: %s', async (path, wants) => {
  const isAsked = async () => [
    told(await admin.ask('POST', `/review/${path}`, {}, named)) === 'step_up_required',
    told(await byKey(keys.admin, 'POST', `/review/${path}`, {})) === 'step_up_required',
  ];
  await makeStale(admin);
  expect(await isAsked()).toEqual([wants, wants]);
  await admin.stepUp();
  expect(await isAsked()).toEqual([false, wants]);
});

test("a sandbox's access token steps up nowhere", async () => {
  const reply = await server.call('PUT', '/portal/api/settings', { body: now });
  expect(reply.status).toBe(200);
});
