import { expect, test } from 'vitest';
import { sandboxSignInLink } from '../../backoffice/people/sign_in/sandbox_link.ts';
import { addAuthenticator } from '../kit/pages/browser/browser.ts';
import { page, useVisitors, useWeb, visitor, web } from '../kit/pages/browser/web.ts';
import { invitation, portalPerson } from '../kit/people.ts';
import { openProvider } from '../kit/sign_on/provider.ts';
import { proveReadable } from './readable.ts';

useWeb();
useVisitors();

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const authenticator = async () => addAuthenticator(await visitor.context.newCDPSession(page));

async function invite(email: string): Promise<string> {
  const { tenantId } = web.server.tenant;
  return invitation(web.server, { scope: tenantId, email, roles: ['owner'] });
}

/** Keeps the codes, which leads to the work, and goes back to the own sign-in. */
async function keep(): Promise<void> {
  await button('I have kept them').click();
  await heading('Home').waitFor();
  await page.goto(`${web.hosted}/portal/sign-in`);
  await heading('Your sign-in').waitFor();
}

test('somebody who is invited makes a passkey, keeps the codes, signs out and in again', async () => {
  await authenticator();
  await page.goto(await invite('eve@example.com'));
  await heading('Join Test Tenant').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await proveReadable(page, 'invitation');
  await button('Make a passkey and join').click();
  await page.getByText('Enter your name.').waitFor();
  await page.getByLabel('Your name').fill('Eve Stone');
  await button('Make a passkey and join').click();
  await heading('Keep your recovery codes').waitFor();
  expect(await page.getByRole('listitem').count()).toBe(10);
  await proveReadable(page, 'codes');
  const download = page.waitForEvent('download');
  await button('Download').click();
  expect((await download).suggestedFilename()).toBe('tenant-payments-recovery-codes.txt');
  await keep();
  await page.getByText('10 of your recovery codes are unused.').waitFor();
  await page.getByText('First passkey').waitFor();
  await proveReadable(page, 'account');
  await button('Sign out').click();
  await heading('Sign in').waitFor();
  await proveReadable(page, 'sign_in');
  await button('Sign in with a passkey').click();
  await heading('Your sign-in').waitFor();
  await page.reload();
  await heading('Your sign-in').waitFor();
});

test('a second passkey is added and removed, and other sessions are ended', async () => {
  const session = await visitor.context.newCDPSession(page);
  const { id } = await addAuthenticator(session);
  await page.goto(await invite('sol@example.com'));
  await page.getByLabel('Your name').fill('Sol Reed');
  await button('Make a passkey and join').click();
  await keep();
  await visitor.context.clearCookies();
  await page.reload();
  await button('Sign in with a passkey').click();
  await button('End all other sessions').click();
  await page.getByText('The sessions were ended.').waitFor();
  await button('End all other sessions').waitFor({ state: 'detached' });
  // One authenticator makes one passkey for a person, until it has lost it.
  await button('Add a passkey').click();
  await page.getByText('No passkey was used.').waitFor();
  await session.send('WebAuthn.clearCredentials', { authenticatorId: id });
  await button('Add a passkey').click();
  await page.getByText('The passkey was added.').waitFor();
  await button('Remove First passkey').click();
  await page.getByText('The passkey was removed.').waitFor();
  await page.getByText('Passkey 2').waitFor();
  await button('Make new recovery codes').click();
  await heading('Keep your recovery codes').waitFor();
});

test('new recovery codes stay on the page, whatever comes after them', async () => {
  await authenticator();
  await page.goto(await invite('kim@example.com'));
  await page.getByLabel('Your name').fill('Kim Vale');
  await button('Make a passkey and join').click();
  await keep();
  await button('Rename First passkey').click();
  let goOn = () => {};
  const isLate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route('**/portal/api/session', async (route) => {
    await isLate;
    await route.continue();
  });
  const asked = page.waitForRequest('**/portal/api/session');
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await button('Save the name').click();
  await asked;
  await button('Make new recovery codes').click();
  await heading('Keep your recovery codes').waitFor();
  const answered = page.waitForResponse('**/portal/api/session');
  goOn();
  await answered;
  await page.waitForTimeout(200);
  expect(await heading('Keep your recovery codes').isVisible()).toBe(true);
});

test('a passkey is named by its owner, and keeps its name when none is given', async () => {
  await authenticator();
  await page.goto(await invite('ned@example.com'));
  await page.getByLabel('Your name').fill('Ned Moor');
  await button('Make a passkey and join').click();
  await keep();
  await button('Rename First passkey').click();
  const name = page.getByLabel('Name of the passkey');
  await proveReadable(page, 'passkey_name');
  await name.fill(' ');
  await button('Save the name').click();
  await page.getByText('Enter a name.').waitFor();
  await button('Keep the old name').click();
  await page.getByText('First passkey').waitFor();
  await button('Rename First passkey').click();
  await name.fill('Phone in the drawer');
  await page.keyboard.press('Enter');
  await page.getByText('The name was saved.').waitFor();
  await name.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('Phone in the drawer').waitFor();
  await button('Rename Phone in the drawer').waitFor();
});

test('a recovery code signs in to make a new passkey, and a wrong one says nothing of the address', async () => {
  const ruth = await portalPerson(web.server, web.server.tenant.tenantId, ['reader']);
  await authenticator();
  await page.goto(`${web.hosted}/portal/sign-in`);
  await button('I have no passkey at hand').click();
  await heading('Use a recovery code').waitFor();
  await button('Continue').click();
  await page.getByRole('link', { name: 'Enter your email address.' }).waitFor();
  await proveReadable(page, 'recovery');
  await page.getByLabel('Email address').fill(ruth.email);
  await page.getByLabel('Recovery code', { exact: true }).fill('wrong');
  await button('Continue').click();
  await page.getByText('The email address or the code is not right.').waitFor();
  await page.getByLabel('Recovery code', { exact: true }).fill(ruth.recoveryCodes[0] ?? '');
  await button('Continue').click();
  await heading('Make a new passkey').waitFor();
  await proveReadable(page, 'new_passkey');
  await button('Make a passkey').click();
  await heading('Your sign-in').waitFor();
  await page.getByText('9 of your recovery codes are unused.').waitFor();
});

test("the sandbox's link leads to the portal with one click, and is refused the second time", async () => {
  const link = await sandboxSignInLink(web.server.service, web.server.tenant.tenantId);
  await page.goto(link);
  await heading('Home').waitFor();
  await page.goto(`${web.hosted}/portal/sign-in`);
  await heading('Your sign-in').waitFor();
  await page.getByText('sam@example.com').waitFor();
  await page.getByText('None yet.').waitFor();
  await button('Change where you act: Platform').click();
  await page.getByText('Administrator').waitFor();
  await page.goto('about:blank');
  await page.goto(link);
  await heading('This link was already used').waitFor();
  await page.getByText('tpay open portal').waitFor();
  await proveReadable(page, 'used_link');
});

test('whoever has to sign in comes to the page of the portal that they asked for', async () => {
  await authenticator();
  await page.goto(await invite('nora@example.com'));
  await page.getByLabel('Your name').fill('Nora Hill');
  await button('Make a passkey and join').click();
  await keep();
  await visitor.context.clearCookies();
  await page.goto(`${web.hosted}/portal/requests?status=4xx`);
  await button('Sign in with a passkey').click();
  await heading('Requests').waitFor();
  expect(new URL(page.url()).search).toContain('4xx');
  await page.goto(`${web.hosted}/portal/sign-in`);
  await heading('Your sign-in').waitFor();
});

test('a revoked, an unknown and an unreachable invitation each say what to do', async () => {
  const link = await invite('ida@example.com');
  await invite('ida@example.com');
  await page.goto(link);
  await heading('This link is no longer valid').waitFor();
  await page.goto('about:blank');
  await page.goto(`${web.hosted}/portal/sign-in#invitation=tpi_${'a'.repeat(43)}`);
  await heading('This link does not work').waitFor();
  await proveReadable(page, 'ended');
  await page.goto('about:blank');
  await page.route('**/portal/api/session', (route) => route.abort());
  await page.goto(`${web.hosted}/portal/sign-in`);
  await heading('No connection').waitFor();
  await page.unroute('**/portal/api/session');
  await button('Try again').click();
  await heading('Sign in').waitFor();
  visitor.forgive(/Failed to load resource/);
});

test('an organization signs its people in, and what goes wrong there is said', async () => {
  const provider = await openProvider();
  const { tenantId } = web.server.tenant;
  const owner = await portalPerson(web.server, tenantId, ['owner']);
  const given = { issuer: provider.issuer, client_id: 'ours', client_secret: provider.secret };
  const set = await owner.ask('PUT', '/single-sign-on', given);
  provider.allow('ours', [set.body.redirect_uri]);
  await page.goto(set.body.sign_in_url);
  await heading('Sign in').waitFor();
  await proveReadable(page, 'organization');
  provider.accounts.set('uma', { email: 'uma@example.com', email_verified: true });
  provider.subject = 'uma';
  await button('Continue to your organization').click();
  await page.getByText('Nobody with your email address is invited here.').waitFor();
  await proveReadable(page, 'organization_failed');
  const invited = { email: 'uma@example.com', roles: ['reader'] };
  expect((await owner.ask('POST', '/invitations', invited)).status).toBe(201);
  await page.goto('about:blank');
  await page.goto(set.body.sign_in_url);
  await button('Continue to your organization').click();
  await heading('Your sign-in').waitFor();
  await page.getByText('uma@example.com').waitFor();
  expect(await page.getByRole('heading', { name: 'Your passkeys' }).count()).toBe(0);
  await proveReadable(page, 'account_of_organization');
  await owner.ask('DELETE', '/single-sign-on');
});

test('a person with a passkey links the account of the organization', async () => {
  await authenticator();
  await page.goto(await invite('lin@example.com'));
  await page.getByLabel('Your name').fill('Lin Vale');
  await button('Make a passkey and join').click();
  await keep();
  const provider = await openProvider();
  const owner = await portalPerson(web.server, web.server.tenant.tenantId, ['owner']);
  const given = { issuer: provider.issuer, client_id: 'ours', client_secret: provider.secret };
  const set = await owner.ask('PUT', '/single-sign-on', given);
  provider.allow('ours', [set.body.redirect_uri]);
  provider.accounts.set('ada', { email: 'ada@example.com', email_verified: true });
  provider.subject = 'ada';
  await page.reload();
  await button('Link your organization’s account').click();
  await page.getByText('Somebody else is signed in at your organization.').waitFor();
  provider.accounts.set('ada', { email: 'lin@example.com', email_verified: true });
  await page.reload();
  await button('Link your organization’s account').click();
  await page.waitForURL(/sign-in$/);
  await expect
    .poll(async () => (await owner.ask('GET', '/single-sign-on')).body.identities)
    .toBe(1);
  await owner.ask('DELETE', '/single-sign-on');
});

test('the page is reached and used by keyboard alone', async () => {
  await authenticator();
  await page.goto(await invite('kay@example.com'));
  await heading('Join Test Tenant').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Kay Hill');
  await page.keyboard.press('Enter');
  await heading('Keep your recovery codes').waitFor();
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await heading('Home').waitFor();
});
