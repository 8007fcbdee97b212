import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { expect, test } from 'vitest';
import { type Device, openDevice } from '../kit/device.ts';
import { addAuthenticator } from '../kit/pages/browser/browser.ts';
import { page, useVisitors, useWeb, visitor, web } from '../kit/pages/browser/web.ts';
import { invitation, type PortalPerson, portalPerson } from '../kit/people.ts';
import { openProvider } from '../kit/sign_on/provider.ts';
import { proveReadable } from './readable.ts';

useWeb();
useVisitors();

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const choice = (name: RegExp) => page.getByRole('checkbox', { name });
const codeField = () => page.getByLabel('Code', { exact: true });
const device = (...roles: Role[]): Promise<Device> =>
  openDevice(web.server, roles.length > 0 ? roles : undefined);
const address = () => `${web.hosted}/portal/device`;

/** The browser is signed in as this person. */
async function beSignedIn({ cookie }: PortalPerson): Promise<void> {
  const [name = '', value = ''] = (cookie() ?? '').split('=');
  await visitor.context.addCookies([{ name, value, url: web.hosted }]);
}

const member = (...roles: Parameters<typeof portalPerson>[2]) =>
  portalPerson(web.server, web.server.tenant.tenantId, roles);

/** Opens the address with the code in it, as the program shows it. */
async function openAsked({ begun }: Device): Promise<void> {
  await page.goto(begun.verification_uri_complete);
  await button('Continue').click();
}

const reasonOf = async ({ poll }: Device) => (await poll()).body.error.details.reason;

test('somebody signs in, sees who asks, proves a passkey and approves a part of the roles', async () => {
  await addAuthenticator(await visitor.context.newCDPSession(page));
  const scope = web.server.tenant.tenantId;
  const email = 'ivy@example.com';
  await page.goto(await invitation(web.server, { scope, email, roles: ['owner'] }));
  await page.getByLabel('Your name').fill('Ivy Marsh');
  await button('Make a passkey and join').click();
  await button('I have kept them').click();
  await visitor.context.clearCookies();
  const asking = await device('developer', 'finance');
  await page.goto(asking.begun.verification_uri_complete);
  await heading('Sign in').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await button('Sign in with a passkey').click();
  await heading('Connect a program').waitFor();
  expect(await codeField().inputValue()).toBe(asking.begun.user_code);
  await proveReadable(page, 'device_code');
  await button('Continue').click();
  await heading('Let this program act for you?').waitFor();
  for (const fact of ['Laptop of Ana', '127.0.0.1', 'Test Tenant'])
    await page.getByText(fact, { exact: true }).waitFor();
  expect(await choice(/Reader/).isChecked()).toBe(false);
  expect(await choice(/Owner/).count()).toBe(0);
  await proveReadable(page, 'device_asks');
  await web.server.owner.query('update control.sessions set stepped_up_at = null');
  await choice(/Finance/).uncheck();
  await button('Approve').click();
  await heading('Approved').waitFor();
  await page.getByText('Go back to Laptop of Ana').waitFor();
  await proveReadable(page, 'device_approved');
  const { status, body } = await asking.poll();
  expect([status, body.roles]).toEqual([200, ['developer']]);
});

test('a code is typed in any way; a short and an unknown one are said at the field', async () => {
  await beSignedIn(await member('reader'));
  const asking = await device();
  await page.goto(address());
  await heading('Connect a program').waitFor();
  await codeField().fill('wdjb');
  await button('Continue').click();
  await page.getByText('Enter all eight letters of the code.').waitFor();
  await codeField().fill('BBBB-BBBB');
  await button('Continue').click();
  await page.getByText('No program is waiting with this code.').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('field-code');
  await proveReadable(page, 'device_unknown');
  await codeField().fill(` ${asking.begun.user_code.toLowerCase().replace('-', ' ')} `);
  await button('Continue').click();
  await heading('Let this program act for you?').waitFor();
  await choice(/Reader/).uncheck();
  await button('Approve').click();
  await page.getByText('Choose at least one role, or refuse.').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('roles');
  await proveReadable(page, 'device_no_role');
  await button('Refuse').click();
  await heading('Refused').waitFor();
  await proveReadable(page, 'device_refused');
  expect(await reasonOf(asking)).toBe('access_denied');
  visitor.forgive(/Failed to load resource/);
});

test('an expired code and one that was answered each say so, and another is entered', async () => {
  const ana = await member('developer');
  await beSignedIn(ana);
  const [late, answered] = [await device(), await device()];
  const { user_code } = answered.begun;
  await ana.ask('POST', '/device-sign-in/deny', { user_code });
  await openAsked(answered);
  await heading('This code was already answered').waitFor();
  await proveReadable(page, 'device_answered');
  await button('Enter another code').click();
  await codeField().fill(late.begun.user_code);
  await button('Continue').click();
  await heading('Let this program act for you?').waitFor();
  await web.server.owner.query(
    `update control.device_sign_ins set expires_at = created_at where status = 'waiting'`,
  );
  await button('Approve').click();
  await heading('This code has expired').waitFor();
  await proveReadable(page, 'device_expired');
  visitor.forgive(/Failed to load resource/);
});

test('where none of the roles is held, the program gets nothing until the person acts elsewhere', async () => {
  const ana = await member('reader');
  await web.server.owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at) values ('platform', $1, 'support', '2020-01-01')`,
    [ana.id],
  );
  await beSignedIn(ana);
  const asking = await device('support');
  await openAsked(asking);
  await page.getByText('You hold none of the roles that it asks for in Test Tenant').waitFor();
  expect(await button('Approve').count()).toBe(0);
  await proveReadable(page, 'device_no_common_role');
  await button('Change where you act: Platform').click();
  await choice(/Support/).waitFor();
  expect(await choice(/Support/).isChecked()).toBe(true);
  await button('Approve').click();
  await heading('Approved').waitFor();
  expect((await asking.poll()).body).toMatchObject({ scope: 'platform', roles: ['support'] });
});

test('after another window switched, or a change that failed, nothing is approved for another place than is shown', async () => {
  const ana = await member('developer');
  const { tenantId: elsewhere } = await web.server.anotherTenant({ name: 'Harbor' });
  await web.server.owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at) values ($1, $2, 'developer', '2020-01-01')`,
    [elsewhere, ana.id],
  );
  await beSignedIn(ana);
  const [first, second] = [await device(), await device()];
  await web.server.owner.query('update control.device_sign_ins set interval_seconds = 0');
  await openAsked(first);
  await page.getByText('Test Tenant', { exact: true }).waitFor();
  await ana.ask('POST', '/session/act', { scope: elsewhere });
  await button('Approve').click();
  await page.getByText('You act in another place now.').waitFor();
  await proveReadable(page, 'device_moved');
  expect(await reasonOf(first)).toBe('authorization_pending');
  expect(await codeField().inputValue()).toBe(first.begun.user_code);
  await button('Continue').click();
  await page.getByText('Harbor', { exact: true }).waitFor();
  await button('Approve').click();
  await heading('Approved').waitFor();
  expect((await first.poll()).body.scope).toBe(elsewhere);
  await button('Enter another code').click();
  await codeField().fill(second.begun.user_code);
  await button('Continue').click();
  await page.route('**/device-sign-in/open', (route) => route.abort());
  await button('Change where you act: Test Tenant').click();
  await page.getByText('You act in another place now.').waitFor();
  await page.unroute('**/device-sign-in/open');
  await button('Continue').click();
  await page.getByText('Test Tenant', { exact: true }).waitFor();
  await button('Approve').click();
  await heading('Approved').waitFor();
  expect((await second.poll()).body.scope).toBe(web.server.tenant.tenantId);
  visitor.forgive(/Failed to load resource/);
});

test('the page shows the end of the key that the chosen roles give, and the key ends then', async () => {
  await beSignedIn(await portalPerson(web.server, 'platform', ['admin']));
  const asking = await device('reviewer');
  await openAsked(asking);
  await choice(/Reviewer/).waitFor();
  const shown = () =>
    page.locator('dl > div', { hasText: 'Its key ends' }).locator('dd').textContent();
  const ofADay = await shown();
  await choice(/Reviewer/).uncheck();
  await choice(/Support/).check();
  const ofNinety = await shown();
  expect(ofNinety).not.toBe(ofADay);
  await button('Approve').click();
  await page.getByText(`Its key works until ${ofNinety},`).waitFor();
  const { created_at, expires_at, roles } = (await asking.poll()).body;
  expect(roles).toEqual(['support']);
  expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000)).toBe(90);
});

test('a session that has ended leads back to sign-in, and approves nothing', async () => {
  const ana = await member('reader');
  await beSignedIn(ana);
  const asking = await device();
  await openAsked(asking);
  await heading('Let this program act for you?').waitFor();
  await visitor.context.clearCookies();
  await button('Approve').click();
  await heading('Sign in').waitFor();
  expect(await reasonOf(asking)).toBe('authorization_pending');
  visitor.forgive(/Failed to load resource/);
});

test('whoever signed in at an organization proves it there again, and comes back to the code', async () => {
  const provider = await openProvider();
  const owner = await member('owner');
  const given = { issuer: provider.issuer, client_id: 'ours', client_secret: provider.secret };
  const set = await owner.ask('PUT', '/single-sign-on', given);
  provider.allow('ours', [set.body.redirect_uri]);
  provider.accounts.set('una', { email: 'una@example.com', email_verified: true });
  provider.subject = 'una';
  await owner.ask('POST', '/invitations', { email: 'una@example.com', roles: ['finance'] });
  await page.goto(set.body.sign_in_url);
  await button('Continue to your organization').click();
  await heading('Your sign-in').waitFor();
  const asking = await device();
  await openAsked(asking);
  await button('Approve').click();
  await heading('Connect a program').waitFor();
  expect(await codeField().inputValue()).toBe(asking.begun.user_code);
  await button('Continue').click();
  await button('Approve').click();
  await heading('Approved').waitFor();
  expect((await asking.poll()).body.roles).toEqual(['finance']);
  await owner.ask('DELETE', '/single-sign-on');
});

test('the page is reached and used by keyboard alone', async () => {
  await beSignedIn(await member('developer'));
  const asking = await device();
  await page.goto(asking.begun.verification_uri_complete);
  await heading('Connect a program').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await heading('Let this program act for you?').waitFor();
  // Two roles, the first of them chosen, then the answers.
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await heading('Approved').waitFor();
  expect((await asking.poll()).body.roles).toEqual(['developer']);
});
