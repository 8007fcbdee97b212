import { expect, test } from 'vitest';
import { refusalLine } from '../../../test/kit/pages/hosted.ts';
import { type PortalPerson, portalPerson } from '../../../test/kit/people.ts';
import { operations, pathOf } from '../../../test/kit/rights.ts';
import { openServer } from '../../../test/kit/server.ts';

/** Windows of one browser share a session: each names the scope that it shows (rules/sign-in#3). */

const server = await openServer({ workers: false });
const { tenantId } = server.tenant;
const { tenantId: harbor } = await server.anotherTenant({ name: 'Harbor' });

/** The answer to a window that shows this scope. */
async function line(
  { ask }: PortalPerson,
  shown: string,
  [method, path, body]: readonly [string, string, object?],
  tenant?: string,
): Promise<string> {
  const headers = { 'session-scope': shown, ...(tenant && { 'tenant-id': tenant }) };
  return refusalLine(await ask(method, path, body, { headers }));
}

const ofSession = ['getSession', 'signOut', 'actIn', 'leaveTenant'];

test('every operation but those of the session itself refuses a window that shows another scope', async () => {
  const member = await portalPerson(server, tenantId, ['owner']);
  const staff = await portalPerson(server, 'platform', ['admin']);
  for (const row of operations.filter(({ id }) => !ofSession.includes(id))) {
    const asked = [row.method, pathOf(row)] as const;
    const lines = [
      await line(member, harbor, asked),
      await line(member, 'platform', asked),
      await line(staff, tenantId, asked),
      await line(staff, tenantId, asked, tenantId),
    ];
    expect([row.id, ...new Set(lines)]).toEqual([row.id, 'forbidden acts_elsewhere']);
  }
});

test('a window learns where its session acts, moves it and signs out, whatever it shows', async () => {
  const staff = await portalPerson(server, 'platform', ['admin']);
  expect(await line(staff, harbor, ['GET', '/session'])).toBe('200');
  const back = { scope: 'platform' };
  expect(await line(staff, harbor, ['POST', '/session/act', back])).toBe('200');
  expect(await line(staff, harbor, ['POST', '/session/leave'])).toBe('invalid_state no_visit');
  expect(await line(staff, harbor, ['DELETE', '/session'])).toBe('200');
});

test('a window that shows where the session acts is answered, with the Tenant that staff name', async () => {
  const member = await portalPerson(server, tenantId, ['owner']);
  const staff = await portalPerson(server, 'platform', ['admin']);
  const members = ['GET', '/members'] as const;
  expect(await line(member, tenantId, members)).toBe('200');
  expect(await line(member, tenantId, members, harbor)).toBe('forbidden staff_only');
  expect(await line(staff, 'platform', members)).toBe('forbidden choose_tenant');
  expect(await line(staff, 'platform', members, tenantId)).toBe('200');
  expect(await line(staff, 'platform', ['GET', '/staff'])).toBe('200');
});

test('an access token and an API key show nothing, and are answered whatever they name', async () => {
  const expires_at = new Date(server.service.clocks.realNow() + 3_600_000).toISOString();
  const asked = { name: 'Program', roles: ['reader'], expires_at };
  const { key } = await server.api.post('/portal/api/api-keys', asked);
  const headers = { 'session-scope': harbor };
  for (const token of [server.tenant.token, key]) {
    const { status } = await server.call('GET', '/portal/api/payments', { token, headers });
    expect(status).toBe(200);
  }
});
