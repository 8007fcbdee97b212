import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, visit } from '../../kit/pages/browser/browser.ts';
import {
  ended,
  eventLogged,
  pay,
  startTenantSite,
  type TenantSite,
} from '../../kit/pages/browser/tenant_site.ts';
import { sdkModule, sdkScript } from '../../kit/pages/browser/web.ts';
import { type FakePages, fakeToken, startFakePages } from '../fake_pages.ts';

/** Flows that run in one page, which is never loaded anew. */
const cycles = 50;
const warmUp = 5;
/** Bytes that the log of the page itself and the browser's own caches may take. */
const noiseBytes = 400_000;

let browser: Browser;
let pages: FakePages;
let site: TenantSite;
beforeAll(async () => {
  const { text, integrity } = await sdkScript();
  browser = await launchBrowser();
  pages = await startFakePages(text);
  site = await startTenantSite({
    hosted: pages.origin,
    integrity,
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

/** Counts the listeners of window and document, which no garbage collection takes away. */
const countListeners = `
window.listeners = 0;
for (const target of [window, document]) {
  const { addEventListener: add, removeEventListener: remove } = target;
  target.addEventListener = function (...given) { window.listeners += 1; return add.apply(target, given); };
  target.removeEventListener = function (...given) { window.listeners -= 1; return remove.apply(target, given); };
}`;

/**
 * Objects that a browser may keep of fifty flows until it collects them; one kept by each flow
 * would be fifty.
 */
const slack = 10;
const counted = ['documents', 'nodes', 'jsEventListeners'] as const;
const patienceTries = 50;
const pollMs = 200;

type Held = Record<'usedSize' | 'documents' | 'nodes' | 'jsEventListeners', number>;

async function held(session: CDPSession): Promise<Held> {
  await session.send('HeapProfiler.collectGarbage');
  const { documents, nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { usedSize, documents, nodes, jsEventListeners };
}

/** The objects that fifty flows left, once the browser had the time to take the last ones down. */
async function left(session: CDPSession, before: Held): Promise<Held> {
  for (let tries = 1; ; tries += 1) {
    const { usedSize, documents, nodes, jsEventListeners } = await held(session);
    const more = {
      usedSize: usedSize - before.usedSize,
      documents: documents - before.documents,
      nodes: nodes - before.nodes,
      jsEventListeners: jsEventListeners - before.jsEventListeners,
    };
    const isLittle = counted.every((what) => more[what] < slack) && more.usedSize < noiseBytes;
    if (isLittle || tries === patienceTries) return more;
    await sleep(pollMs);
  }
}

const remains = (page: Page) =>
  page.evaluate(`({
    frames: frames.length,
    elements: document.querySelectorAll('iframe, dialog').length,
    listeners: window.listeners,
    overflow: document.documentElement.style.overflow,
    focused: document.activeElement.id,
  })`);

async function cycle(page: Page, mode: 'modal' | 'popup'): Promise<void> {
  await page.evaluate('log.length = 0');
  await pay(page, { mode, baseUrl: `${pages.origin}/obedient` });
  await eventLogged(page, 'ready');
  await page.evaluate('handle.close()');
  await ended(page);
}

test.each(['modal', 'popup'] as const)(`${cycles} flows in a %s leave nothing`, async (mode) => {
  const visitor = await visit(browser);
  const { page, context } = visitor;
  await page.addInitScript(countListeners);
  await page.goto(site.origin);
  const session = await context.newCDPSession(page);
  for (let index = 0; index < warmUp; index += 1) await cycle(page, mode);
  const before = await held(session);
  for (let index = 0; index < cycles; index += 1) await cycle(page, mode);
  const more = await left(session, before);
  for (const what of counted) expect(more[what], what).toBeLessThan(slack);
  const nothing = { frames: 0, elements: 0, listeners: 0, overflow: '', focused: 'pay' };
  expect(await remains(page)).toEqual(nothing);
  expect(more.usedSize).toBeLessThan(noiseBytes);
  expect(context.pages()).toHaveLength(1);
  await visitor.end();
});
