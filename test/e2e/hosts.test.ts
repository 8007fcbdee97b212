import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxSignInLink } from '../../backoffice/people/sign_in/sandbox_link.ts';
import {
  addAuthenticator,
  sharedBrowser,
  type Visit,
  visit,
} from '../kit/pages/browser/browser.ts';
import { hostedPathOf } from '../kit/pages/browser/web.ts';
import { openHostedPages, pin } from '../kit/pages/hosted.ts';
import { invitation } from '../kit/people.ts';
import { startTestServer, type TestServer } from '../kit/server.ts';

/** Console, customers' pages and API at hosts of their own, in a browser (rules/security#24). */

let server: TestServer;
let visitor: Visit;
let page: Page;
const at = { console: '', pay: '', api: '' };

beforeAll(async () => {
  server = await startTestServer({
    manual: true,
    config: (port) => ({
      docs: 'off',
      publicUrl: `http://localhost:${port}`,
      consoleUrl: `http://console.localhost:${port}`,
      hostedUrl: `http://pay.localhost:${port}`,
    }),
  });
  const { publicUrl, consoleUrl, hostedUrl } = server.service.config;
  Object.assign(at, { api: publicUrl, console: consoleUrl, pay: hostedUrl });
  visitor = await visit(await sharedBrowser());
  page = visitor.page;
});
afterAll(async () => {
  await visitor.end();
  await server.stop();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const item = (name: string) => page.getByRole('menuitem', { name, exact: true });

/** The answer to a page that is opened, and the cookie that the browser has sent for it. */
async function visited(address: string): Promise<{ status: number; cookie: string | undefined }> {
  const reply = await page.goto(address);
  const { cookie } = (await reply?.request().allHeaders()) ?? {};
  return { status: reply?.status() ?? 0, cookie };
}

test("who signs in at the console's host sends the session there and to no other host", async () => {
  await page.goto(await sandboxSignInLink(server.service, server.tenant.tenantId));
  await heading('Home').waitFor();
  expect(new URL(page.url()).origin).toBe(at.console);
  const cookies = await visitor.context.cookies();
  expect(cookies.map(({ domain }) => domain)).toEqual(['console.localhost']);
  const hosted = hostedPathOf(server.tenant);
  const found = {
    console: await visited(`${at.console}/portal`),
    pay: await visited(`${at.pay}${hosted}`),
    api: await visited(`${at.api}/portal/api/session`),
  };
  expect(found.console).toEqual({
    status: 200,
    cookie: `${cookies[0]?.name}=${cookies[0]?.value}`,
  });
  expect(found.pay).toEqual({ status: 200, cookie: undefined });
  expect(found.api).toEqual({ status: 401, cookie: undefined });
});

test('the pages of one host are at none of the others', async () => {
  const hosted = hostedPathOf(server.tenant);
  const own = [`${at.console}/portal`, `${at.console}/console`, `${at.pay}${hosted}`];
  const other = [
    ...['/portal', '/portal/sign-in', '/console', hosted].map((path) => at.api + path),
    ...['/portal/sign-in', '/console', '/portal/api/session'].map((path) => at.pay + path),
    ...[hosted, '/v1/accounts', '/docs'].map((path) => at.console + path),
  ];
  const statuses = async (addresses: readonly string[]) => {
    const found = [];
    for (const address of addresses) found.push([address, (await visited(address)).status]);
    return found;
  };
  expect(await statuses(own)).toEqual(own.map((address) => [address, 200]));
  expect(await statuses(other)).toEqual(other.map((address) => [address, 404]));
});

test('the portal shows the address of the API in its calls, its pages in the preview, and no link to documentation that is not served', async () => {
  await page.goto(`${at.console}/portal/records/payments`);
  const call = page.getByLabel('The call that makes the first one');
  await call.getByText(`curl ${at.api}/v1/payments`).waitFor();
  await button('Your account').click();
  await item('Your sign-in').waitFor();
  expect(await page.locator('body').getByText('Docs').count()).toBe(0);
  await page.keyboard.press('Escape');
  await button('Test Tenant').click();
  await item('Operations console').click();
  await page.waitForURL(`${at.console}/console`);
  await heading('Home').waitFor();
  await page.goto(`${at.console}/portal/settings`);
  const preview = page.frameLocator('iframe[title="Preview of a hosted page"]');
  await preview.getByText('Sandbox: no real money moves').first().waitFor();
});

test("somebody who is invited makes a passkey of the console's host, and signs in with it", async () => {
  await page.goto('about:blank');
  await visitor.context.clearCookies();
  await addAuthenticator(await visitor.context.newCDPSession(page));
  const scope = server.tenant.tenantId;
  await page.goto(await invitation(server, { scope, email: 'eve@example.com', roles: ['owner'] }));
  await page.getByLabel('Your name').fill('Eve Stone');
  await button('Make a passkey and join').click();
  await button('I have kept them').click();
  await heading('Home').waitFor();
  await page.goto(`${at.console}/portal/sign-in`);
  await heading('Your sign-in').waitFor();
  // What is read after the heading moves what stands below.
  await page.getByText('10 of your recovery codes are unused.').waitFor();
  await page.getByText('First passkey').waitFor();
  await button('Sign out').click();
  await button('Sign in with a passkey').click();
  await heading('Your sign-in').waitFor();
  expect(new URL(page.url()).origin).toBe(at.console);
});

test('a customer confirms with a PIN on the hosted page of its own host', async () => {
  const { api } = server;
  const ana = await api.funded('individual', 50_00);
  const cafe = await api.banked('business');
  await openHostedPages(server).givePins();
  const { confirmation_session } = await api.pay(ana, cafe, 20_00);
  await page.goto(`${at.pay}${hostedPathOf(server.tenant)}#${confirmation_session.token}`);
  await heading('Confirm payment').waitFor();
  await page.getByLabel('PIN', { exact: true }).fill(pin);
  await button('Pay $20.00').click();
  await heading('Paid').waitFor();
  expect(await api.balance(cafe)).toMatchObject({ available: 20_00 });
});
