import { expect, test } from 'vitest';
import { type PortalPerson, portalPerson } from '../../test/kit/people.ts';
import { openServer } from '../../test/kit/server.ts';
import { portalEndpoints } from '../contract/catalog.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';

/** An export of personal data wants step-up, of people and of API keys (rules/people#6). */

const server = await openServer({ workers: false });
const { tenantId } = server.tenant;
const named = { headers: { 'tenant-id': tenantId } };

const files = Object.values<PortalEndpoint>(portalEndpoints).filter(
  ({ query }) => query !== undefined && 'format' in query.properties,
);
const exports = files.filter(({ access }) => access === 'export');
const owner = await portalPerson(server, tenantId, ['owner']);
const admin = await portalPerson(server, 'platform', ['admin']);

async function keyOf(person: PortalPerson, role: string): Promise<string> {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const asked = { name: 'A program', roles: [role], expires_at };
  return (await person.ask('POST', '/api-keys', asked)).body.key;
}
const keys = { owner: await keyOf(owner, 'owner'), admin: await keyOf(admin, 'admin') };

const change = (person: PortalPerson, changes: string) =>
  server.owner.query(`update control.sessions set ${changes} where person_id = $1`, [person.id]);
const makeStale = (person: PortalPerson) => change(person, 'stepped_up_at = null');

const inPortal = (path: string) => path.replace('/portal/api', '');
const told = async (person: PortalPerson, path: string) => {
  const { status, body } = await person.ask('GET', path, undefined, named);
  return body?.error?.code ?? status;
};

/** Files that hold no personal data, also where the list does (rules/portal-records#15). */
const ofNobody = ['listEvents', 'listLedgerEntries', 'listRequests', 'listTenants'];

test('each list that is also a file is an export that wants step-up, or holds nothing of a person', () => {
  const open = files.filter(({ access }) => access !== 'export').map(({ id }) => id);
  expect(open.toSorted()).toEqual(ofNobody);
  for (const { id, access, stepUp } of Object.values<PortalEndpoint>(portalEndpoints))
    expect([id, stepUp === 'by_format']).toEqual([id, access === 'export']);
});

test.each(exports.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s is a file for whoever has stepped up and for no API key, and a list for both',
  async (_, { of, path }) => {
    const side = of === 'platform' ? 'admin' : 'owner';
    const person = { owner, admin }[side];
    const byKey = async (query: string) => {
      const headers = side === 'admin' ? named : {};
      const reply = await server.call('GET', path + query, { token: keys[side], ...headers });
      return reply.body?.error?.code ?? reply.status;
    };
    await makeStale(person);
    expect(await told(person, `${inPortal(path)}?format=csv`)).toBe('step_up_required');
    expect(await told(person, `${inPortal(path)}?format=json`)).toBe(200);
    expect(await byKey('?format=csv')).toBe('step_up_required');
    expect(await byKey('')).toBe(200);
    await person.stepUp();
    expect(await told(person, `${inPortal(path)}?format=csv`)).toBe(200);
  },
);

test('a cookie that has appeared elsewhere gets no file', async () => {
  await owner.stepUp();
  await change(owner, 'moved_at = now()');
  expect(await told(owner, '/customers')).toBe(200);
  expect(await told(owner, '/customers?format=csv')).toBe('step_up_required');
  await owner.stepUp();
  expect(await told(owner, '/customers?format=csv')).toBe(200);
});

test('a file whose personal data is masked, and one that has none, want no step-up', async () => {
  const reader = await portalPerson(server, tenantId, ['reader']);
  const support = await portalPerson(server, 'platform', ['support']);
  for (const person of [reader, support]) {
    await makeStale(person);
    expect(await told(person, '/customers?format=csv')).toBe(200);
  }
  await makeStale(owner);
  expect(await told(owner, '/ledger/entries?format=csv')).toBe(200);
});

test("a sandbox's access token gets its files", async () => {
  for (const { path } of exports)
    expect((await server.call('GET', `${path}?format=csv`)).status, path).toBe(200);
});
