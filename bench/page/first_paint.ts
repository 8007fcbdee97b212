import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../test/kit/pages/browser/browser.ts';

/** A phone of the middle: Chrome's own "Fast 3G" and a processor four times slower than this one. */
const phone = { width: 390, height: 844 } as const;
const slowdown = 4;
const bitsInByte = 8;
const fast3g = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / bitsInByte,
  uploadThroughput: (750 * 1024 * 0.9) / bitsInByte,
};

export interface Paints {
  /** From the navigation to the first text or picture, in ms. */
  readonly firstMs: number;
  /** To the page's heading, when what is to be confirmed is there. */
  readonly headingMs: number;
  /** The files that the page has loaded by then, itself included. */
  readonly files: number;
}

interface Measured {
  readonly first: number;
  readonly files: number;
}

/** Runs in the page. */
const read = `(() => {
  const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return { first: paint.startTime, files: loaded.length };
})()`;

async function paint(browser: Browser, url: string): Promise<Paints> {
  const context = await browser.newContext({ viewport: phone, isMobile: true, hasTouch: true });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', fast3g);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const begun = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const headingMs = performance.now() - begun;
    const { first, files } = (await page.evaluate(read)) as Measured;
    return { firstMs: first, headingMs, files };
  } finally {
    await context.close();
  }
}

/** Opens each address once, every time with an empty cache. */
export async function paintAll(urls: readonly string[]): Promise<Paints[]> {
  const browser = await launchBrowser();
  try {
    const paints: Paints[] = [];
    for (const url of urls) paints.push(await paint(browser, url));
    return paints;
  } finally {
    await browser.close();
  }
}
