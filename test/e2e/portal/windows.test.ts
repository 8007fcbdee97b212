import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  giveSession,
  page,
  useVisitors,
  useWeb,
  visitor,
  web,
} from '../../kit/pages/browser/web.ts';
import { type PortalPerson, portalPerson } from '../../kit/people.ts';
import { open as openConsole } from '../console/pages.ts';
import { proveReadable } from '../readable.ts';
import { heading, open, signIn } from './pages.ts';

/** One person with several windows and one session (rules/sign-in#3). */

useWeb();
useVisitors();

const button = (name: string) => page.getByRole('button', { name, exact: true });
const endpoints = (...apis: (typeof web.api)[]) =>
  Promise.all(apis.map(async (api) => (await api.get('/portal/api/webhook-endpoint')).url));
const hooks = 'https://shop.example/hooks';

/** Somebody who is a developer of the Tenant of the test and of another one. */
async function ofTwo(name: string) {
  const ana = await portalPerson(web.server, web.server.tenant.tenantId, ['developer']);
  const other = await web.server.anotherTenant({ name });
  await web.server.owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at) values ($1, $2, 'developer', '2020-01-01')`,
    [other.tenantId, ana.id],
  );
  await giveSession(visitor.context, ana);
  return { ana, ...other, api: web.server.apiOf(other) };
}

const acting = (by: PortalPerson, scope: string) => () => by.ask('POST', '/session/act', { scope });

/**
 * Another window moves the session while what is pressed here is on its way to the service.
 * @returns the status of the reply
 */
async function pressed(name: string, move: () => Promise<unknown>): Promise<number> {
  const form = (url: URL) => /\/(webhook-endpoint|invitations)$/.test(url.pathname);
  await page.route(form, async (route) => {
    if (route.request().method() !== 'GET') await move();
    await route.continue();
  });
  const reply = page.waitForResponse(
    (one) => form(new URL(one.url())) && one.request().method() !== 'GET',
  );
  await button(name).click();
  const status = (await reply).status();
  await page.unroute(form);
  return status;
}

test('a window of one tenant changes nothing in another to which a second window has switched, and leads back', async () => {
  const { ana, tenantId, api } = await ofTwo('Harbor');
  await open('/webhooks', 'Webhooks');
  await page.getByLabel('Address').fill(hooks);
  expect(await pressed('Save', acting(ana, tenantId))).toBe(403);
  await heading('Another window switched to Harbor').waitFor();
  await page.getByText('This one showed Test Tenant.').waitFor();
  await proveReadable(page, 'portal_moved');
  expect(await endpoints(web.api, api)).toEqual([null, null]);
  await button('Switch back to Test Tenant').click();
  await heading('Webhooks').waitFor();
  await page.getByLabel('Address').fill(hooks);
  await button('Save').click();
  await page.getByText('Events are sent').waitFor();
  expect(await endpoints(web.api, api)).toEqual([hooks, null]);
});

test('a window whose session is elsewhere goes there, and acts there from then on', async () => {
  const { ana, tenantId, api } = await ofTwo('Quay');
  const before = await endpoints(web.api);
  await open('/webhooks', 'Webhooks');
  await page.getByLabel('Address').fill('https://quay.example/hooks');
  expect(await pressed('Save', acting(ana, tenantId))).toBe(403);
  await page.getByRole('link', { name: 'Go to Quay' }).click();
  await heading('Home').waitFor();
  await page.getByTitle('Switch tenant').filter({ visible: true, hasText: 'Quay' }).waitFor();
  await open('/webhooks', 'Webhooks');
  await page.getByLabel('Address').fill(hooks);
  await button('Save').click();
  await page.getByText('Events are sent').waitFor();
  expect(await endpoints(web.api, api)).toEqual([...before, hooks]);
});

test('a window of one tenant leaves the visit to another that a second window began, and is back', async () => {
  const { ana, tenantId, api } = await ofTwo('Mole');
  await web.server.owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at) values ('platform', $1, 'support', '2020-01-01')`,
    [ana.id],
  );
  const visited = await web.server.anotherTenant({ name: 'Pier' });
  const owner = await portalPerson(web.server, visited.tenantId, ['owner']);
  const given = await owner.ask('POST', '/support-consents', { hours: 2, note: 'A look' });
  expect(given.status).toBe(201);
  await acting(ana, tenantId)();
  await open('/webhooks', 'Webhooks');
  await page.getByLabel('Address').fill(hooks);
  const status = await pressed('Save', async () => {
    await acting(ana, 'platform')();
    const entered = await ana.ask('POST', `/tenants/${visited.tenantId}/enter`);
    expect(entered.status).toBe(200);
  });
  expect(status).toBe(403);
  await heading('Another window switched to Pier').waitFor();
  await button('Switch back to Mole').click();
  await heading('Webhooks').waitFor();
  expect((await ana.ask('GET', '/session')).body).toMatchObject({ scope: tenantId, visit: null });
  expect(await endpoints(api, web.server.apiOf(visited))).toEqual([null, null]);
});

test('a window of the console changes nothing once another acts in a tenant, also in its view of that tenant', async () => {
  const { tenantId } = web.server.tenant;
  const ruth = await portalPerson(web.server, 'platform', ['admin']);
  await web.server.owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at) values ($1, $2, 'owner', '2020-01-01')`,
    [tenantId, ruth.id],
  );
  await giveSession(visitor.context, ruth);
  await openConsole(`/tenants/${tenantId}?part=people`, 'Test Tenant');
  await page.getByLabel('Email address').fill('maria@example.com');
  expect(await pressed('Invite', acting(ruth, tenantId))).toBe(403);
  await heading('Another window switched to Test Tenant').waitFor();
  await proveReadable(page, 'console_moved');
  await button('Switch back to Operations console').click();
  await heading('Test Tenant').waitFor();
  const { data } = await web.api.get('/portal/api/invitations');
  expect(data.map(({ email }: { email: string }) => email)).not.toContain('maria@example.com');
});

/** The places that the calls of a window name, and the paths of those that name none. */
function namedBy(window: Page) {
  const [places, unnamed] = [new Set<string>(), new Set<string>()];
  window.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/portal/api/')) return;
    const { 'session-scope': shown, 'tenant-id': tenant = '' } = request.headers();
    if (shown === undefined) unnamed.add(pathname);
    else places.add(`${shown} ${tenant}`.trim());
  });
  return { places, unnamed };
}

test('every call of a window names the place that it shows, but the first, by which it learns that', async () => {
  const { tenantId } = web.server.tenant;
  const { places, unnamed } = namedBy(page);
  await signIn();
  await open('/events', 'Events');
  await page.getByText('live', { exact: true }).waitFor();
  await open('/records/customers', 'Customers');
  const file = page.waitForRequest(/customers.*csv/);
  await button('Download CSV').click();
  await file;
  await open('/ledger', 'Ledger');
  await button('Check the ledger').click();
  await page.getByText(/rows agree with each other/).waitFor();
  expect([[...unnamed], [...places]]).toEqual([['/portal/api/session'], [tenantId]]);
  const ruth = await portalPerson(web.server, 'platform', ['admin']);
  await giveSession(visitor.context, ruth);
  places.clear();
  await openConsole(`/tenants/${tenantId}`, 'Test Tenant');
  expect([...unnamed]).toEqual(['/portal/api/session']);
  expect([...places].sort()).toEqual([`platform ${tenantId}`, 'platform'].sort());
});
