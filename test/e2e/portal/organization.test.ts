import { readFile } from 'node:fs/promises';
import type { MemberRole } from '@tenant-payments/contract/core/roles.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { page, useVisitors, useWeb, visitor, web } from '../../kit/pages/browser/web.ts';
import { type PortalPerson, portalPerson } from '../../kit/people.ts';
import { openProvider, type TestProvider } from '../../kit/sign_on/provider.ts';
import { proveReadable } from '../readable.ts';
import { heading, open } from './pages.ts';

/** People whom their organization signs in, and who have no passkey (rules/single-sign-on#11). */

useWeb();
useVisitors();

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog', { name: 'Confirm that it is you' });

let provider: TestProvider;
let owner: PortalPerson;
let signInUrl: string;

beforeAll(async () => {
  provider = await openProvider();
  owner = await portalPerson(web.server, web.server.tenant.tenantId, ['owner']);
  const given = { issuer: provider.issuer, client_id: 'ours', client_secret: provider.secret };
  const { body } = await owner.ask('PUT', '/single-sign-on', given);
  provider.allow('ours', [body.redirect_uri]);
  signInUrl = body.sign_in_url;
});
afterAll(() => owner.ask('DELETE', '/single-sign-on'));

beforeEach(() => {
  // Calls that want a step-up are refused first.
  visitor.forgive(/Failed to load resource/);
});

/** Somebody with this role comes in at the organization. */
async function signIn(name: string, role: MemberRole): Promise<void> {
  const email = `${name}@example.com`;
  provider.accounts.set(name, { email, email_verified: true });
  provider.subject = name;
  await owner.ask('POST', '/invitations', { email, roles: [role] });
  await page.goto(signInUrl);
  await button('Continue to your organization').click();
  await heading('Your sign-in').waitFor();
}

test('whoever their organization signed in downloads a list after a fresh sign-in there, from the page as it was', async () => {
  await signIn('una', 'finance');
  await open('/records/payments?status=completed', 'Payments');
  await button('Download CSV').click();
  await dialog().getByText('what is typed here and not sent is lost').waitFor();
  await proveReadable(page, 'portal_step_up_organization');
  await button('Continue to your organization').click();
  await dialog().waitFor({ state: 'detached' });
  await heading('Payments').waitFor();
  expect(new URL(page.url()).search).toBe('?status=completed');
  const file = page.waitForEvent('download');
  await button('Download CSV').click();
  expect(await readFile(await (await file).path(), 'utf8')).toContain(',State,');
  expect(await dialog().count()).toBe(0);
});

test('a fresh sign-in that comes to nothing says why, leads back to the page, and can be tried again', async () => {
  await signIn('ugo', 'owner');
  await open('/team', 'Team');
  const invite = async () => {
    await page.getByLabel('Email address').fill('new@example.com');
    await button('Invite').click();
  };
  await invite();
  provider.subject = null;
  await button('Continue to your organization').click();
  await page.getByText('Your organization did not sign you in, or you canceled.').waitFor();
  await proveReadable(page, 'account_step_up_failed');
  await page.getByRole('link', { name: 'Back to where you were' }).click();
  await heading('Team').waitFor();
  provider.subject = 'ugo';
  await invite();
  await button('Continue to your organization').click();
  await dialog().waitFor({ state: 'detached' });
  await heading('Team').waitFor();
  await invite();
  await page.getByText(/#invitation=tpi_/).waitFor();
});
