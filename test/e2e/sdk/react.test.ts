import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser, type Visit, visit } from '../../kit/pages/browser/browser.ts';
import { startTenantSite, type TenantSite } from '../../kit/pages/browser/tenant_site.ts';
import { type FakePages, fakeToken, finish, hostedFrame, startFakePages } from '../fake_pages.ts';

/** A Tenant's React application around the hook, in StrictMode, which runs each effect twice. */
const application = `
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useHostedFlow } from './sdk/browser/react.ts';

window.calls = [];
function Shop({ round }) {
  const flow = useHostedFlow({
    baseUrl: window.base,
    mode: 'modal',
    token: window.token,
    onSuccess: (token) => window.calls.push('success ' + token + ' ' + round),
    onExit: (error) => window.calls.push('exit ' + (error?.code ?? 'left') + ' ' + round),
    onEvent: (name) => window.calls.push(name),
  });
  window.flow = flow;
  return <p><button id="go" onClick={() => flow.open()}>Pay</button>
    <button id="other" onClick={() => flow.open({ token: async () => window.other })}>Other</button>
    <output>{flow.isOpen ? 'open' : 'closed'} {flow.error?.code ?? 'fine'}</output></p>;
}
function Page() {
  const [state, set] = useState({ shown: true, round: 1 });
  window.show = set;
  return state.shown ? <StrictMode><Shop round={state.round} /></StrictMode> : <p>gone</p>;
}
createRoot(document.body.appendChild(document.createElement('div'))).render(<Page />);
`;

let browser: Browser;
let pages: FakePages;
let site: TenantSite;
let script: string;
let visitor: Visit;
let page: Page;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: application,
      loader: 'tsx',
      resolveDir: fileURLToPath(new URL('../../..', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return outputFiles[0]?.text ?? '';
}

beforeAll(async () => {
  [browser, pages, script] = await Promise.all([launchBrowser(), startFakePages(''), bundle()]);
  site = await startTenantSite({
    hosted: pages.origin,
    integrity: '',
    sdkModule: async () => '',
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
  const facts = { base: `${pages.origin}/obedient`, token: fakeToken, other: fakeToken };
  await page.addInitScript((given) => Object.assign(globalThis, given), facts);
  await page.route('**/by_package.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await page.goto(`${site.origin}/module`);
  await page.waitForSelector('#go');
});
afterEach(() => visitor.end());

const calls = (): Promise<string[]> => page.evaluate('window.calls');
const ends = async () => (await calls()).filter((call) => /^(success|exit) /.test(call));
const shown = () => page.textContent('output');
const until = (name: string) => expect.poll(calls).toContain(name);
const remains = () =>
  page.evaluate(`({
    elements: document.querySelectorAll('iframe, dialog').length,
    overflow: document.documentElement.style.overflow,
  })`);
const nothing = { elements: 0, overflow: '' };

test('a flow is opened in the click, and its result goes to the handler of the latest render', async () => {
  expect(await shown()).toBe('closed fine');
  await page.click('#go');
  await until('ready');
  expect(await shown()).toBe('open fine');
  expect(await page.evaluate("document.querySelectorAll('iframe').length")).toBe(1);
  await page.evaluate('show({ shown: true, round: 2 })');
  await finish(await hostedFrame(page), { result_token: 'rt_1' });
  await expect.poll(shown).toBe('closed fine');
  expect(await ends()).toEqual(['success rt_1 2']);
  expect(await remains()).toEqual(nothing);
});

test('a customer who leaves is no error, a failure is one until the next flow', async () => {
  await page.click('#go');
  await until('ready');
  await page.evaluate('flow.close()');
  await expect.poll(shown).toBe('closed fine');
  await page.evaluate("window.other = 'no token'");
  await page.click('#other');
  await expect.poll(shown).toBe('closed session_invalid');
  await page.evaluate('window.calls = []');
  await page.click('#go');
  await until('ready');
  expect(await shown()).toBe('open fine');
  await finish(await hostedFrame(page), { status: 'expired', error: { code: 'session_expired' } });
  await expect.poll(shown).toBe('closed session_expired');
  expect(await ends()).toEqual(['exit session_expired 1']);
});

test('when the component goes, so does its flow, with one onExit', async () => {
  await page.click('#go');
  await until('ready');
  await page.evaluate('show({ shown: false })');
  await page.waitForSelector('text=gone', { state: 'attached' });
  await expect.poll(ends).toEqual(['exit left 1']);
  expect(await remains()).toEqual(nothing);
  await page.evaluate('flow.close()');
  expect(await ends()).toHaveLength(1);
});

test('without a token the flow fails and says what is missing', async () => {
  await page.evaluate('window.token = undefined');
  await page.evaluate('show({ shown: true, round: 3 })');
  await page.click('#go');
  await expect.poll(shown).toBe('closed token_failed');
  expect(await remains()).toEqual(nothing);
});

test('fifty flows leave no frame, no dialog and no scroll lock, and end once each', async () => {
  await page.evaluate(`(async () => {
    for (let i = 0; i < 50; i += 1) {
      const before = calls.filter((call) => call.startsWith('exit ')).length;
      flow.open();
      while (i % 10 === 0 && calls.at(-1) !== 'ready') await new Promise((done) => setTimeout(done, 5));
      flow.close();
      while (calls.filter((call) => call.startsWith('exit ')).length === before)
        await new Promise((done) => setTimeout(done, 5));
    }
  })()`);
  await expect.poll(shown).toBe('closed fine');
  expect(await ends()).toEqual(Array(50).fill('exit left 1'));
  expect(await remains()).toEqual(nothing);
});
