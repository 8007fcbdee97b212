import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser, type Visit, visit } from '../../kit/pages/browser/browser.ts';
import {
  ended,
  endings,
  eventLogged,
  logOf,
  type Opening,
  passTime,
  pay,
  startTenantSite,
  type TenantSite,
} from '../../kit/pages/browser/tenant_site.ts';
import { sdkModule, sdkScript } from '../../kit/pages/browser/web.ts';
import { type FakePages, fakeToken, finish, hostedFrame, startFakePages } from '../fake_pages.ts';

/** The SDK against pages that the test controls; the real ones are tested by their flows. */
let browser: Browser;
let pages: FakePages;
let site: TenantSite;
let visitor: Visit;
let page: Page;

beforeAll(async () => {
  const [script, launched] = await Promise.all([sdkScript(), launchBrowser()]);
  browser = launched;
  pages = await startFakePages(script.text);
  site = await startTenantSite({
    hosted: pages.origin,
    integrity: script.integrity,
    sdkModule,
    newToken: async () => fakeToken,
    exchange: async () => ({}),
  });
});
afterAll(async () => {
  await browser.close();
  await site.stop();
  await pages.stop();
});
beforeEach(async () => {
  visitor = await visit(browser);
  page = visitor.page;
  await page.goto(site.origin);
});
afterEach(() => visitor.end());

const baseOf = (behaviour: string) => `${pages.origin}/${behaviour}`;
const open = (behaviour: string, more: Opening = {}) =>
  pay(page, { mode: 'modal', baseUrl: baseOf(behaviour), ...more });

/** The traces of a flow that are still in the page. */
const remains = (on: Page) =>
  on.evaluate(`({
    elements: document.querySelectorAll('iframe, dialog').length,
    overflow: document.documentElement.style.overflow,
    focused: document.activeElement.id,
  })`);
const nothing = { elements: 0, overflow: '', focused: 'pay' };

const popup = async (behaviour: string, more: Opening = {}) => {
  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    open(behaviour, { mode: 'popup', ...more }),
  ]);
  return window;
};

const closing = ['handoff', 'exit'];

/** The one callback of a flow, and just before it the one event that says which. */
async function theEnding(on: Page = page) {
  const log = await ended(on);
  const all = endings(log);
  expect(all).toHaveLength(1);
  const [ending] = all;
  const last = log.filter(({ kind, facts }) => kind === 'event' && closing.includes(`${facts[0]}`));
  const name = ending?.kind === 'success' ? 'handoff' : 'exit';
  expect(last.map(({ facts }) => facts[0])).toEqual([name]);
  expect(log[log.findIndex(({ kind }) => kind === ending?.kind) - 1]).toEqual(last[0]);
  return ending;
}

test('a modal hands the token to the page alone, and its result to the Tenant', async () => {
  await open('obedient', { locale: 'es' });
  await eventLogged(page, 'ready');
  const frame = await hostedFrame(page);
  expect(await frame.evaluate('window.given')).toEqual({
    type: 'token',
    token: fakeToken,
    locale: 'es',
  });
  expect(frame.url()).not.toContain(fakeToken);
  await finish(frame, { result_token: 'rt_1' });
  expect(await theEnding()).toEqual({
    kind: 'success',
    facts: ['rt_1', { session_id: 'ses_1', flow: 'payment_confirm', request_id: null }],
  });
  const events = (await logOf(page)).filter(({ kind }) => kind === 'event');
  expect(events.map(({ facts }) => facts[0])).toEqual(['open', 'ready', 'handoff']);
  expect(await remains(page)).toEqual(nothing);
});

test('the package does what the script does', async () => {
  await page.goto(`${site.origin}/module`);
  await open('obedient');
  await eventLogged(page, 'ready');
  await finish(await hostedFrame(page), { result_token: 'rt_1' });
  expect(await theEnding()).toMatchObject({ kind: 'success' });
});

test('a popup is opened in the click, and closed with the flow', async () => {
  const window = await popup('obedient');
  await eventLogged(page, 'ready');
  await finish(window.mainFrame(), { result_token: 'rt_1' });
  expect(await theEnding()).toMatchObject({ kind: 'success', facts: ['rt_1', {}] });
  await expect.poll(() => window.isClosed()).toBe(true);
});

test('Escape leaves, with the result of the session that ended', async () => {
  await open('obedient');
  await eventLogged(page, 'ready');
  await page.evaluate("document.querySelector('dialog').focus()");
  await page.keyboard.press('Escape');
  expect(await theEnding()).toMatchObject({
    kind: 'exit',
    facts: [null, { result_token: 'rt_left' }],
  });
  expect(await remains(page)).toEqual(nothing);
});

test('a page that does not leave when asked is closed all the same', async () => {
  await open('stubborn');
  await eventLogged(page, 'ready');
  await page.evaluate('handle.close()');
  await page.evaluate('handle.close()');
  expect(await theEnding()).toMatchObject({ kind: 'exit', facts: [null, { result_token: null }] });
  expect(await remains(page)).toEqual(nothing);
});

test('while the page loads, a customer without a keyboard has a way out', async () => {
  await open('deaf', { locale: 'es' });
  await page.getByRole('button', { name: 'Cerrar' }).click();
  expect(await theEnding()).toMatchObject({ kind: 'exit', facts: [null, { result_token: null }] });
  expect(await remains(page)).toEqual(nothing);
});

test('a popup that the customer closes ends the flow', async () => {
  const window = await popup('obedient');
  await eventLogged(page, 'ready');
  await window.close();
  expect(await theEnding()).toMatchObject({ kind: 'exit', facts: [null, {}] });
});

test('an expired session is an exit with its code', async () => {
  await open('obedient');
  await eventLogged(page, 'ready');
  const error = { code: 'session_expired', message: 'too long' };
  await finish(await hostedFrame(page), { status: 'expired', result_token: 'rt_x', error });
  const log = await ended(page);
  expect(endings(log)).toMatchObject([{ kind: 'exit', facts: [error, { result_token: 'rt_x' }] }]);
  expect(log.at(-1)).toEqual({ kind: 'closed', facts: ['expired'] });
});

test('a page that ends twice is reported once', async () => {
  await open('chatty');
  expect(await theEnding()).toMatchObject({ kind: 'success', facts: ['rt_1', {}] });
  await page.waitForTimeout(300);
  expect(endings(await logOf(page))).toHaveLength(1);
});

test('a page that does not answer within 20 s is given up', async () => {
  await page.clock.install();
  await open('deaf');
  // From here on the test waits for the page: its frame is there before the token has come.
  await page.waitForSelector('iframe[src]', { state: 'attached' });
  await passTime(page, 21_000);
  const message = `${pages.origin} did not answer: is it up, and is ${site.origin} in frame_origins?`;
  const error = { code: 'load_failed', message };
  expect(await theEnding()).toMatchObject({ kind: 'exit', facts: [error, {}] });
  expect(await remains(page)).toEqual(nothing);
});

test('a page that loads late is called when it has come', async () => {
  await page.clock.install();
  let serve = () => {};
  const held = new Promise<void>((resolve) => {
    serve = resolve;
  });
  await page.route('**/hosted/*', async (route) => {
    await held;
    await route.continue();
  });
  await open('obedient');
  await page.waitForSelector('iframe', { state: 'attached' });
  // No timer runs any more: only the frame itself is left.
  await page.clock.pauseAt(Date.now() + 10_000);
  serve();
  await eventLogged(page, 'ready');
});

test('a service that is down is given up', async () => {
  const gone = await startFakePages('');
  await gone.stop();
  await page.clock.install();
  // The frame's own policy names the service; only a window can reach for another address.
  const window = await popup('obedient', { baseUrl: gone.origin });
  await expect.poll(() => window.url()).toMatch(/^chrome-error:/);
  await passTime(page, 21_000);
  expect(await theEnding()).toMatchObject({ kind: 'exit', facts: [{ code: 'load_failed' }, {}] });
  visitor.forgive(/ERR_CONNECTION_REFUSED|target origin provided/);
});

test('a blocked popup is said at once', async () => {
  // The page gets no window, as from a browser that blocks it: the test's browser, without a
  // screen, blocks none.
  await page.evaluate('window.open = () => null');
  await open('obedient', { mode: 'popup' });
  const message = expect.stringContaining('call open() in the click itself');
  expect(await theEnding()).toMatchObject({ facts: [{ code: 'popup_blocked', message }, {}] });
});

test.each(['token_rejects', 'token_throws'] as const)('no token, no flow: %s', async (trouble) => {
  await open('obedient', { trouble });
  expect(await theEnding()).toMatchObject({ facts: [{ code: 'token_failed' }, {}] });
  expect(await remains(page)).toEqual(nothing);
});

test('open() without a token says what is missing', async () => {
  const error = await page.evaluate(`new Promise((onExit) => {
    TenantPayments.open({ mode: 'modal', onExit });
  })`);
  const message = 'token must be a string or a function that gives one';
  expect(error).toEqual({ code: 'token_failed', message });
});

test('an address that is a script is none of a service', async () => {
  const thrown = await page.evaluate(`(() => {
    try {
      TenantPayments.open({ mode: 'redirect', token: '${fakeToken}', baseUrl: 'javascript:document.title=1//' });
    } catch (error) {
      return error.message;
    }
  })()`);
  expect(thrown).toBe('open() needs baseUrl, the address of your Tenant Payments service');
});

test('what is no session token is refused before anything is loaded', async () => {
  await open('obedient', { token: 'nonsense' });
  expect(await theEnding()).toMatchObject({ facts: [{ code: 'session_invalid' }, {}] });
});

test("an error in the Tenant's own code leaves nothing behind", async () => {
  await open('obedient', { trouble: 'handlers_throw', token: fakeToken });
  await eventLogged(page, 'ready');
  await finish(await hostedFrame(page), { result_token: 'rt_1' });
  expect(await theEnding()).toMatchObject({ kind: 'success' });
  expect(await remains(page)).toEqual(nothing);
  visitor.forgive(/of the Tenant/);
});

test('a second flow ends the first, and the scroll lock goes with the last', async () => {
  await open('obedient');
  await eventLogged(page, 'ready');
  await page.evaluate('begin()');
  await eventLogged(page, 'ready', 2);
  expect(endings(await logOf(page))).toHaveLength(1);
  await finish(await hostedFrame(page), { result_token: 'rt_2' });
  await expect.poll(async () => endings(await logOf(page))).toHaveLength(2);
  expect(endings(await logOf(page)).map(({ kind }) => kind)).toEqual(['exit', 'success']);
  expect(await remains(page)).toMatchObject({ elements: 0, overflow: '' });
});

test('by redirect the token stands in the fragment, and the return is read once', async () => {
  await open('obedient', { mode: 'redirect' });
  await page.waitForURL(/\/hosted\/[0-9a-f]{32}#st_/);
  await page.goto(
    `${site.origin}/done?order=7#result_token=rt_9&status=completed&session_id=ses_1`,
  );
  const log = await logOf(page);
  expect(log[0]).toMatchObject({ kind: 'success', facts: ['rt_9', { session_id: 'ses_1' }] });
  expect(log[1]).toEqual({ kind: 'returned', facts: [true] });
  expect(page.url()).toBe(`${site.origin}/done?order=7`);
  await page.reload();
  expect(await logOf(page)).toEqual([{ kind: 'returned', facts: [false] }]);
});

test('a return by an exit says why', async () => {
  await page.goto(`${site.origin}/done#error=session_expired&status=expired`);
  expect((await logOf(page))[0]).toMatchObject({
    kind: 'exit',
    facts: [{ code: 'session_expired' }, { result_token: null }],
  });
});

test("a fragment of the Tenant's own is left alone", async () => {
  await page.goto(`${site.origin}/done#status=shipped`);
  expect(await logOf(page)).toEqual([{ kind: 'returned', facts: [false] }]);
  expect(page.url()).toContain('#status=shipped');
});

test('by itself a narrow screen goes by redirect and a wide one by modal', async () => {
  await pay(page, { baseUrl: baseOf('obedient') });
  await eventLogged(page, 'ready');
  await page.evaluate('handle.destroy()');
  await page.setViewportSize({ width: 390, height: 800 });
  await pay(page, { baseUrl: baseOf('obedient') });
  await page.waitForURL(/#st_/);
});
