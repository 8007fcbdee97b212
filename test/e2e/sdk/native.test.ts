import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, useVisitors, useWeb, visitor, web } from '../../kit/pages/browser/web.ts';
import { openHostedPages, pin } from '../../kit/pages/hosted.ts';
import type { Person } from '../../kit/person.ts';

/**
 * The promise of docs/guide/native-app.md: an app opens the page in the system's browser by its
 * address alone, without an SDK, and the system hands the return address to the app.
 */
useWeb();
useVisitors();

const universalLink = 'https://shop.example/app/paid';
const appScheme = 'com.example.shop:/paid';

let ana: Person;
beforeAll(async () => {
  await web.api.settings({ return_urls: [universalLink, appScheme] });
  ana = await web.api.funded('individual', 100_00);
  await openHostedPages(web.server).givePins();
});

let browserSession: CDPSession;
/** Addresses that the system would hand to the app, as the browser was about to load them. */
let handed: string[];
beforeEach(async () => {
  handed = [];
  await visitor.context.route('https://shop.example/**', (route) => route.fulfill({ body: 'app' }));
  browserSession = await visitor.context.newCDPSession(page);
  await browserSession.send('Page.enable');
  browserSession.on('Page.frameRequestedNavigation', ({ url }) => handed.push(url));
});

/** The app's server makes a session, the app opens its address in the system's browser. */
async function openFromApp(return_url: string | null = universalLink) {
  const load = await web.newLoad(ana);
  const session = await web.api.post('/v1/sessions', {
    flow: 'payment_confirm',
    customer_id: ana.customerId,
    target: { type: 'load', id: load.id },
    return_url,
  });
  await page.goto(`${web.hosted}/hosted#${session.token}`);
  await page.getByRole('heading', { level: 1, name: 'Add money' }).waitFor();
  return session;
}

const press = (name: string, on: Page = page) =>
  on.getByRole('button', { name, exact: true }).click();
async function confirm(): Promise<void> {
  await page.getByLabel('PIN', { exact: true }).fill(pin);
  await press('Add $25.00');
}

/** The facts in the fragment of the return address. */
async function returned(to: string): Promise<Record<string, string>> {
  const found = () => handed.find((url) => url.startsWith(to));
  await expect.poll(found).toBeDefined();
  const url = new URL(found() ?? '');
  if (to === universalLink) {
    await page.waitForURL(`${universalLink}#*`);
    // The only address elsewhere that a page may load: in production the app takes it.
    visitor.forgive(/^request to https:\/\/shop\.example\/app\/paid/);
  }
  expect(url.search).toBe('');
  expect(`${url.protocol}${to.includes('//') ? '//' : ''}${url.host}${url.pathname}`).toBe(to);
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
}
const exchange = (result_token?: string) => web.api.post('/v1/sessions/exchange', { result_token });

test('the app comes back by its universal link with a result, which its server exchanges once', async () => {
  const session = await openFromApp();
  expect(page.url()).not.toContain('st_');
  await confirm();
  await press('Back to Test Tenant');
  const facts = await returned(universalLink);
  expect(facts).toEqual({
    result_token: expect.stringMatching(/^rt_/),
    status: 'completed',
    session_id: session.id,
    flow: 'payment_confirm',
  });
  expect(await exchange(facts.result_token)).toMatchObject({
    session_id: session.id,
    status: 'completed',
    target_status: 'processing',
  });
  await expect(exchange(facts.result_token)).rejects.toThrow(/result_token_invalid/);
});

test('a scheme of the app works too, without a network', async () => {
  const session = await openFromApp(appScheme);
  await confirm();
  await press('Back to Test Tenant');
  expect(await returned(appScheme)).toMatchObject({ status: 'completed', session_id: session.id });
});

test('a customer who leaves comes back with canceled, and the record waits', async () => {
  const session = await openFromApp();
  await press('Close');
  await press('Leave');
  const facts = await returned(universalLink);
  expect(facts).toMatchObject({ status: 'canceled', session_id: session.id });
  expect(facts.error).toBeUndefined();
  expect(await exchange(facts.result_token)).toMatchObject({ status: 'canceled' });
});

test('a customer who took too long comes back with expired', async () => {
  const session = await openFromApp();
  await web.api.advance(601);
  await confirm();
  await page.getByRole('heading', { level: 1, name: 'This page timed out' }).waitFor();
  await press('Back to Test Tenant');
  const facts = await returned(universalLink);
  expect(facts).toMatchObject({ status: 'expired', session_id: session.id });
  expect(await exchange(facts.result_token)).toMatchObject({ status: 'expired' });
});

test('a session without an address of its own returns to the first that is registered', async () => {
  await openFromApp(null);
  await confirm();
  await press('Back to Test Tenant');
  expect(await returned(universalLink)).toMatchObject({ status: 'completed' });
});

test('an address that is not registered is refused when the session is made', async () => {
  const asked = { flow: 'pin_reset', customer_id: ana.customerId };
  const return_url = 'https://shop.example/app/other';
  await expect(web.api.post('/v1/sessions', { ...asked, return_url })).rejects.toThrow(
    /return_url_not_registered/,
  );
});
