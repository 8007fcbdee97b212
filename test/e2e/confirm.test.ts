import type { FrameLocator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { addAuthenticator } from '../kit/pages/browser/browser.ts';
import {
  ended,
  endings,
  eventLogged,
  logOf,
  passTime,
  pay,
} from '../kit/pages/browser/tenant_site.ts';
import { page, useVisitors, useWeb, visitor, web } from '../kit/pages/browser/web.ts';
import { openHostedPages, pin } from '../kit/pages/hosted.ts';
import type { Person } from '../kit/person.ts';
import { amend } from './states/walker.ts';

/** The flow that confirms, from the Tenant's button to the Tenant's server and back; by PIN in a modal: `smoke.test.ts`. */
useWeb();
useVisitors();
let ana: Person;
beforeEach(async () => {
  ana = await web.api.banked('individual');
  await openHostedPages(web.server).givePins();
  web.serve(() => web.newLoad(ana));
  await page.goto(web.site.origin);
});

type Shown = Page | FrameLocator;
const modal = () => page.frameLocator('iframe');

async function popup(): Promise<Page> {
  const [window] = await Promise.all([page.waitForEvent('popup'), pay(page, { mode: 'popup' })]);
  return window;
}

async function enterPin(on: Shown, given = pin): Promise<void> {
  await on.getByLabel('PIN', { exact: true }).fill(given);
  await on.getByRole('button', { name: 'Add $25.00' }).click();
}
const press = (on: Shown, name: string) => on.getByRole('button', { name }).click();
const sees = (on: Shown, name: string) => on.getByRole('heading', { level: 1, name }).waitFor();

/** The reply to the Tenant's server when it exchanged the result that its page was given. */
async function exchanged(): Promise<unknown> {
  const [success] = endings(await logOf(page));
  return web.site.exchanged(success?.facts[0]);
}

async function theEnding() {
  const all = endings(await ended(page));
  expect(all).toHaveLength(1);
  expect(await page.evaluate("document.querySelectorAll('iframe, dialog').length")).toBe(0);
  return all[0];
}

test('by PIN in a popup, and by the package', async () => {
  await page.goto(`${web.site.origin}/module`);
  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    pay(page, { mode: 'popup', baseUrl: web.hosted }),
  ]);
  await enterPin(window);
  await press(window, 'Done');
  expect(await theEnding()).toMatchObject({ kind: 'success' });
  expect(await exchanged()).toMatchObject({ status: 'completed' });
});

test('by redirect: there with the token in the fragment, and back with the result', async () => {
  const { customerId } = ana;
  web.serve(() =>
    web.api.post('/v1/sessions', {
      flow: 'terms_acceptance',
      customer_id: customerId,
      return_url: `${web.site.origin}/done`,
    }),
  );
  await pay(page, { mode: 'redirect' });
  await page.waitForURL(`${web.hosted}/hosted/*`);
  expect(page.url()).not.toContain('st_');
  await press(page, 'Done');
  await press(page, 'Back to Test Tenant');
  await page.waitForURL(`${web.site.origin}/done`);
  expect(endings(await logOf(page))).toHaveLength(1);
});

test("by redirect, a record's own session comes back to the Tenant's first return address", async () => {
  await pay(page, { mode: 'redirect' });
  await page.waitForURL(`${web.hosted}/hosted/*`);
  await enterPin(page);
  await press(page, 'Back to Test Tenant');
  await page.waitForURL(`${web.site.origin}/done`);
  expect(endings(await logOf(page))).toHaveLength(1);
  expect(await exchanged()).toMatchObject({ status: 'completed', target_status: 'processing' });
});

describe('passkeys', () => {
  test('added in a window after a PIN, then used in a modal', async () => {
    const session = await visitor.context.newCDPSession(page);
    const window = await popup();
    const inWindow = await visitor.context.newCDPSession(window);
    const first = await addAuthenticator(inWindow);
    await enterPin(window);
    await press(window, 'Add a passkey');
    await window.getByRole('status').filter({ hasText: 'passkey' }).first().waitFor();
    expect(await first.count()).toBe(1);
    const { credentials } = await inWindow.send('WebAuthn.getCredentials', {
      authenticatorId: first.id,
    });
    await press(window, 'Done');
    await ended(page);
    // The phone that both windows have: the browser's own authenticator belongs to one of them.
    const second = await addAuthenticator(session);
    const [credential] = credentials;
    if (!credential) throw new Error('no passkey was made');
    await session.send('WebAuthn.addCredential', { authenticatorId: second.id, credential });
    await page.evaluate('log.length = 0');
    await pay(page, { mode: 'modal' });
    await press(modal(), 'Confirm with passkey');
    await press(modal(), 'Done');
    expect(await theEnding()).toMatchObject({ kind: 'success' });
    expect(await exchanged()).toMatchObject({ status: 'completed', target_status: 'processing' });
  });
});

test('five wrong PINs lock it, and leaving ends the flow', async () => {
  await pay(page, { mode: 'modal' });
  for (let wrong = 0; wrong < 4; wrong += 1) {
    await enterPin(modal(), '111222');
    await eventLogged(page, 'pin_failed', wrong + 1);
  }
  await enterPin(modal(), '111222');
  await sees(modal(), 'Your PIN is locked');
  await press(modal(), 'Cancel transfer');
  await press(modal(), 'Go back');
  await press(modal(), 'Back to Test Tenant');
  expect(await theEnding()).toMatchObject({
    kind: 'exit',
    facts: [null, { result_token: expect.stringMatching(/^rt_/) }],
  });
});

test('declining is an answer: the server learns of it by the exchange', async () => {
  await pay(page, { mode: 'modal' });
  await press(modal(), 'Cancel transfer');
  await press(modal(), 'Yes, cancel');
  await sees(modal(), 'Transfer canceled');
  await press(modal(), 'Done');
  expect(await theEnding()).toMatchObject({ kind: 'success' });
  expect(await exchanged()).toMatchObject({ status: 'canceled', target_status: 'failed' });
});

test('in production no PIN is shown, and the page is left by its close, after a question', async () => {
  await amend(page, '/open', ({ view }) => {
    view.environment = 'production';
    expect(view.customer.sandbox_pin).toBe(pin);
  });
  await pay(page, { mode: 'modal' });
  await sees(modal(), 'Add money');
  expect(await modal().locator('body').textContent()).not.toContain(pin);
  await press(modal(), 'Close');
  await press(modal(), 'Stay');
  await press(modal(), 'Close');
  await press(modal(), 'Leave');
  expect(await theEnding()).toMatchObject({
    kind: 'exit',
    facts: [null, { result_token: expect.stringMatching(/^rt_/) }],
  });
});

test('leaving as the Tenant asks it to: the session ends with it', async () => {
  const load = await web.newLoad(ana);
  await pay(page, { mode: 'modal', token: load.token });
  await sees(modal(), 'Add money');
  await page.evaluate('handle.close()');
  const ending = await theEnding();
  const resultToken = expect.stringMatching(/^rt_/);
  expect(ending).toMatchObject({ facts: [null, { result_token: resultToken }] });
  const { result_token } = Object(ending?.facts[1]);
  expect(await web.api.post('/v1/sessions/exchange', { result_token })).toMatchObject({
    status: 'canceled',
  });
});

test('a session whose time runs out ends as expired', async () => {
  await pay(page, { mode: 'modal' });
  await sees(modal(), 'Add money');
  expect(await web.api.advance(601)).toMatchObject({ pending: 0 });
  await enterPin(modal());
  await sees(modal(), 'This page timed out');
  await press(modal(), 'Done');
  const log = await ended(page);
  expect(log.at(-1)).toEqual({ kind: 'closed', facts: ['expired'] });
  expect(endings(log)).toMatchObject([{ kind: 'exit' }]);
});

test('a token that was used ends as failed', async () => {
  const load = await web.newLoad(ana);
  await openHostedPages(web.server).page(load.token);
  await pay(page, { mode: 'modal', token: load.token });
  await sees(modal(), 'This link was already used');
  await modal().getByRole('button', { name: 'Close' }).last().click();
  expect(await theEnding()).toMatchObject({
    kind: 'exit',
    facts: [{ code: 'session_invalid' }, {}],
  });
});

test('an origin that the Tenant did not name is shown nothing, in a frame and in a window', async () => {
  await web.letFrame('https://shop.example');
  await page.clock.install();
  const load = await web.newLoad(ana);
  for (const mode of ['modal', 'popup'] as const) {
    await page.evaluate('log.length = 0');
    const window = mode === 'popup' ? page.waitForEvent('popup') : null;
    await pay(page, { mode, token: load.token });
    // From here on the test waits for the page.
    if (window) await expect.poll(async () => (await window).url()).toContain('/hosted/');
    else await page.waitForSelector('iframe[src]', { state: 'attached' });
    await passTime(page, 21_000);
    expect(await theEnding()).toMatchObject({ kind: 'exit', facts: [{ code: 'load_failed' }, {}] });
  }
  await web.letFrame(web.site.origin);
  visitor.forgive(/frame-ancestors|target origin provided/);
  expect((await web.api.get(`/v1/loads/${load.id}`)).status).toBe('requires_confirmation');
});

test('a page whose own policy cuts it off from windows is told so, and not that the customer left', async () => {
  await page.goto(`${web.site.origin}/cut_off`);
  const window = await popup();
  await window.getByRole('heading', { level: 1 }).waitFor();
  expect(await theEnding()).toMatchObject({
    kind: 'exit',
    facts: [{ code: 'opener_cut_off' }, {}],
  });
});

test('a customer who closes the window before it answers has left', async () => {
  web.serve(() => new Promise(() => {}));
  const window = await popup();
  await window.close();
  expect(await theEnding()).toMatchObject({ kind: 'exit', facts: [null, {}] });
});

test('by PIN in a modal of a page that embeds only what allows it (COEP)', async () => {
  await page.goto(`${web.site.origin}/isolated`);
  await pay(page, { mode: 'modal' });
  await enterPin(modal());
  await press(modal(), 'Done');
  expect(await theEnding()).toMatchObject({ kind: 'success' });
});
