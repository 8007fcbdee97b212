import { beforeAll, expect, test } from 'vitest';
import type { ReplyBody } from '../../kit/http/http.ts';
import { fetchToken } from '../../kit/http/http.ts';
import { page, useOneWindow, useWeb, visitor, web } from '../../kit/pages/browser/web.ts';
import { type PortalPerson, portalPerson } from '../../kit/people.ts';
import type { TestTenant } from '../../kit/server.ts';
import { addFilter } from '../filters.ts';
import { shootAtDesk } from '../portal/desk.ts';
import { proveReadable } from '../readable.ts';
import { heading, open, signInAsStaff } from './pages.ts';

/** The Tenants in the operations console, where some acts need a second admin. */

useWeb({ config: { approvals: true } });
useOneWindow();

let otto: PortalPerson;
beforeAll(async () => {
  otto = await portalPerson(web.server, 'platform', ['admin']);
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const openTenant = async ({ tenantId }: TestTenant, name: string, part = '') =>
  open(`/tenants/${tenantId}${part === '' ? '' : `?part=${part}`}`, name);
const settingsOf = (tenant: TestTenant): Promise<ReplyBody> =>
  web.server.apiOf(tenant).get('/portal/api/settings');
/** Lets another admin approve the one request that waits. */
async function approve(path: string, headers: Record<string, string> = {}): Promise<void> {
  const { body } = await otto.ask('GET', `${path}?status=waiting`, undefined, { headers });
  expect(body.data).toHaveLength(1);
  const one = `${path}/${body.data[0].id}/approve`;
  expect((await otto.ask('POST', one, {}, { headers })).status).toBe(200);
}

test('a Tenant is made, its secrets are shown once, and its client gets a token', async () => {
  await signInAsStaff();
  await open('/desk', 'Review desk');
  await page.getByRole('link', { name: 'Tenants' }).click();
  await heading('Tenants').waitFor();
  await button('New tenant').click();
  const dialog = page.getByRole('dialog', { name: 'New tenant' });
  await dialog.getByLabel('Name').fill('Harbor Coffee');
  await dialog.getByLabel('Rate limit').fill('120');
  await proveReadable(page, 'console_new_tenant');
  await dialog.getByRole('button', { name: 'Make the tenant' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  const client_secret = (await dialog.getByText(/^cs_/).textContent()) ?? '';
  const client_id = (await dialog.getByText(/^cl_/).textContent()) ?? '';
  expect(await fetchToken(web.server.baseUrl, { client_id, client_secret })).toMatch(/^tok_/);
  await proveReadable(page, 'console_made_tenant');
  await dialog.getByRole('link', { name: 'Go to Harbor Coffee' }).click();
  await heading('Harbor Coffee').waitFor();
  await page.getByText(/in a minute, of 120$/).waitFor();
  expect(await page.content()).not.toContain(client_secret);
});

test('the list shows the last day of each Tenant, and finds by name and state', async () => {
  const tenant = await web.server.anotherTenant({ name: 'Busy Books' });
  const api = web.server.apiOf(tenant);
  const [ana, shop] = [await api.funded('individual', 90_00), await api.banked('business')];
  await api.confirmed(api.pay(ana, shop, 12_34));
  await api.call('GET', '/v1/payments/pay_x');
  await web.server.service.requestLog.flush();
  await signInAsStaff();
  await open('/tenants', 'Tenants');
  await addFilter('Name or id', 'busy');
  await page.waitForURL(/q=busy/);
  const row = page.getByRole('row').filter({ hasText: 'Busy Books' });
  await row.getByText('$12.34').waitFor();
  await row.getByText('active').waitFor();
  await proveReadable(page, 'console_tenants');
  await shootAtDesk(page, 'console_tenants');
  await addFilter('State', 'Suspended');
  await page.getByText('No tenants match these filters').waitFor();
  await button('Clear all').click();
  await row.getByRole('link', { name: 'Busy Books' }).click();
  await heading('Busy Books').waitFor();
  await page.getByText('1 payment', { exact: true }).waitFor();
  await page.getByText('none set').waitFor();
  await page.getByRole('progressbar', { name: 'Daily payment limit of individuals' }).waitFor();
  await page.getByText('$12.34 of $10,000.00').waitFor();
  await proveReadable(page, 'console_tenant');
  await shootAtDesk(page, 'console_tenant');
});

test('what the platform sets holds from the moment it is saved, and stands in the history', async () => {
  const tenant = await web.server.anotherTenant({ name: 'Set Shop' });
  await signInAsStaff();
  await openTenant(tenant, 'Set Shop', 'settings');
  await page.getByLabel('Loads from a bank').uncheck();
  await button('Save features').click();
  await expect.poll(async () => (await settingsOf(tenant)).flows.loads).toBe(false);
  await page.getByLabel('Purchase by RTP').uncheck();
  await page.getByLabel('Purchase by FedNow').uncheck();
  await button('Save permitted requests').click();
  await expect
    .poll(async () => (await settingsOf(tenant)).request_uses.purchase)
    .toEqual({ networks: [], agreement: null });
  await page.getByLabel('Purchase by FedNow').check();
  await page.getByLabel('Permission for Purchase').fill('Letter of March 2, 2026');
  await page.getByLabel('Withdrawal hold').fill('4 days');
  await button('Save holds, windows and rates').click();
  await expect.poll(async () => (await settingsOf(tenant)).withdrawal_hold_hours).toBe(96);
  await page.getByLabel('Daily load limit of individuals').fill('4000');
  await page.getByLabel('Daily payment limit of businesses').fill('');
  await button('Undo changes of limits').click();
  await page.getByLabel('Daily load limit of individuals').fill('4000');
  await button('Save limits').click();
  await expect
    .poll(async () => (await settingsOf(tenant)).limits.load_daily.individual)
    .toBe(4_000_00);
  await button('Add a fee').click();
  await page.getByLabel('Share of fee 1').fill('1.5');
  await button('Save fees of the platform').click();
  await expect
    .poll(async () => (await settingsOf(tenant)).fees)
    .toMatchObject([{ type: 'platform', basis_points: 150 }]);
  await page.getByLabel('English of industry 1', { exact: true }).fill('Farms');
  await button('Save industries').click();
  await expect.poll(async () => (await settingsOf(tenant)).industries[0].name.en).toBe('Farms');
  const changes = page.getByRole('region', { name: 'Changes of settings' });
  await changes
    .getByRole('button', { name: /^Changed the industry .+, in English, .+ to Farms$/ })
    .click();
  await page.getByRole('dialog').getByRole('row').filter({ hasText: 'Farms' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const change of [
    'Switched off loads from a bank',
    'Lengthened the withdrawal hold, 3 days to 4 days',
    'Lowered the daily load limit of individuals, $5,000 to $4,000',
  ])
    await changes.getByRole('button', { name: change, exact: true }).waitFor();
  await proveReadable(page, 'console_tenant_settings');
  await shootAtDesk(page, 'console_tenant_settings');
});

test('a limit that is raised too far is not saved, is asked for, and holds when it is approved', async () => {
  const tenant = await web.server.anotherTenant({ name: 'Far Shop' });
  await signInAsStaff();
  await openTenant(tenant, 'Far Shop', 'settings');
  await page.getByLabel('Daily load limit of individuals').fill('50000');
  const pending = page.getByRole('region', { name: 'Not saved: limits' });
  await pending.getByText('Raise the daily load limit of individuals, $5,000 to $50,000').waitFor();
  await button('Save limits').click();
  await page.getByText('This needs a second admin').waitFor();
  await proveReadable(page, 'console_tenant_second');
  await page.getByLabel('Reason for the second admin').fill('A contract of May');
  await button('Ask a second admin').click();
  await page.getByText('It waits for a second admin').waitFor();
  const limit = async () => (await settingsOf(tenant)).limits.load_daily.individual;
  expect(await limit()).toBe(5_000_00);
  await approve('/approvals', { 'tenant-id': tenant.tenantId });
  expect(await limit()).toBe(50_000_00);
});

test('a value that the service refuses says why at its field', async () => {
  const tenant = await web.server.anotherTenant({ name: 'Wrong Shop' });
  await signInAsStaff();
  await openTenant(tenant, 'Wrong Shop', 'settings');
  await page.getByLabel('Key of industry 1', { exact: true }).fill('Not A Key');
  await button('Save industries').click();
  await page
    .getByRole('alert')
    .getByText(/^Industry 1: /)
    .waitFor();
});

test('a suspension asks a second admin, ends the tokens once approved, and one admin resumes', async () => {
  const tenant = await web.server.anotherTenant({ name: 'Fraud Shop' });
  await signInAsStaff();
  await openTenant(tenant, 'Fraud Shop');
  await button('Suspend the tenant').click();
  const dialog = page.getByRole('dialog', { name: 'Suspend Fraud Shop' });
  await dialog.getByLabel('Reason').fill('Its client secret was published');
  await proveReadable(page, 'console_suspend');
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByText('A suspension was asked for, and waits for a second admin.').waitFor();
  await approve('/platform-approvals');
  await page.reload();
  await page.getByText('Its client secret was published').waitFor();
  await page.getByText('suspended', { exact: true }).waitFor();
  await proveReadable(page, 'console_suspended');
  await button('Resume the tenant').click();
  await button('Suspend the tenant').waitFor();
});

test('a client secret is made and retired, and the owner is invited by a link that is shown once', async () => {
  const tenant = await web.server.anotherTenant({ name: 'New Shop' });
  await signInAsStaff();
  await openTenant(tenant, 'New Shop', 'credentials');
  await button('Make another secret').click();
  await page.getByText(/^cs_/).waitFor();
  await button(/^Retire cred_/)
    .last()
    .click();
  await button('Retire the secret').click();
  await expect.poll(() => button(/^Retire cred_/).count()).toBe(1);
  await proveReadable(page, 'console_tenant_credentials');
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByLabel('Email address').fill('owner@shop.example');
  await button('Invite').click();
  await page.getByText(/accept-invitation#|#invitation=/).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'owner@shop.example' });
  await row.getByText('Owner', { exact: true }).waitFor();
  await proveReadable(page, 'console_tenant_invitations');
  const { data } = await web.server.apiOf(tenant).get('/portal/api/invitations');
  expect(data).toMatchObject([{ email: 'owner@shop.example', roles: ['owner'] }]);
});

test('an admin changes the roles of a member and removes one, and the last owner stays', async () => {
  const tenant = await web.server.anotherTenant({ name: 'Staffed Shop' });
  await web.server.owner.query('delete from control.roles where scope = $1', [tenant.tenantId]);
  const owner = await portalPerson(web.server, tenant.tenantId, ['owner']);
  const dev = await portalPerson(web.server, tenant.tenantId, ['reader']);
  await signInAsStaff();
  await openTenant(tenant, 'Staffed Shop', 'people');
  await button(`Change the roles of ${dev.email}`).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'developer' }).check();
  await button('Save roles').click();
  await page.getByRole('cell', { name: 'developer, reader' }).waitFor();
  await proveReadable(page, 'console_tenant_people');
  await shootAtDesk(page, 'console_tenant_people');
  await button(`End the sessions of ${owner.email}`).click();
  await page.getByText('Ended 1 session.').waitFor();
  await button(`Remove ${owner.email}`).click();
  visitor.forgive(/409/);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await button(`Remove ${dev.email}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await button(`Remove ${dev.email}`).waitFor({ state: 'detached' });
  await button(`Remove ${owner.email}`).waitFor();
});

test('a Tenant that is not there is said to be not found', async () => {
  await signInAsStaff();
  await open('/tenants/unknown', 'Tenant');
  await page.getByText('Not found', { exact: true }).waitFor();
});
