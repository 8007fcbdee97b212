import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { giveSession, page, useOneWindow, useWeb, visitor, web } from '../kit/pages/browser/web.ts';
import { samplePerson } from '../kit/people.ts';
import { buildIfStale } from '../kit/processes/built.ts';
import { proveReadable } from './readable.ts';

/** The documentation in a browser (rules/docs-site). A fault of its policy or its scripts fails the test. */

await buildIfStale('docs');
useWeb();
useOneWindow();

const record = fileURLToPath(new URL('../../dist/docs.json', import.meta.url));
const pages: string[] = JSON.parse(readFileSync(record, 'utf8')).pages;

async function open(path: string): Promise<void> {
  await page.goto(`${web.hosted}/docs${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

test.each([
  ['home', '/'],
  ['guide', '/guide/quickstart'],
  ['rules', '/rules/refunds'],
  ['drawing', '/guide/concepts/lifecycle'],
  ['tables', '/reference/numbers'],
  ['nowhere', '/nowhere'],
])('the page %s is readable on a phone and by a screen reader', async (name, path) => {
  await open(path);
  await proveReadable(page, `docs-${name}`);
});

test('the menu of the portal leads to it', async () => {
  await giveSession(visitor.context, await samplePerson(web.server, web.server.tenant.tenantId));
  await page.goto(`${web.hosted}/portal`);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Docs' }).click();
  await page.waitForURL(`${web.hosted}/docs/**`);
});

/** Goes by links of its own from page to page; tells the pages that are wider than the window. */
const walk = `async (paths) => {
  const wide = [];
  for (const path of paths) {
    const link = Object.assign(document.createElement('a'), { href: path });
    document.body.append(link);
    link.click();
    link.remove();
    const shown = '.' + CSS.escape(path.replace(/[./]+/g, '_'));
    while (!document.querySelector(shown)) await new Promise(requestAnimationFrame);
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) wide.push(path + ': ' + scrollWidth);
  }
  return wide;
}`;

test('no page is wider than a phone, and none has a fault', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open('/guide/quickstart');
  // The first page and the references have a layout of their own, and are read above and below.
  const others = /^\/docs\/$|api$|quickstart$/;
  const paths = pages.filter((one) => !others.test(one));
  expect(paths.length).toBeGreaterThan(100);
  expect(await page.evaluate(`(${walk})(${JSON.stringify(paths)})`)).toEqual([]);
});

test('the search finds a rule and leads to it, without another server', async () => {
  await open('/');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('waiting refund queue');
  const found = page.getByRole('option').filter({ hasText: 'Refunds' }).first();
  await found.waitFor();
  await found.click();
  await page.waitForURL(/\/docs\/rules\/refunds/);
});

test('an address without a page names the nearest pages, and searches for its words', async () => {
  await open('/guide/refund.html');
  const near = page.locator('.not-found').getByRole('listitem');
  await near.first().waitFor();
  expect(await near.count()).toBeLessThanOrEqual(5);
  await proveReadable(page, 'docs-nearest');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Search for “refund”' }).click();
  await page.getByRole('option').filter({ hasText: 'Refund' }).first().waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('refund');
  await page.keyboard.press('Escape');
  await near.getByRole('link', { name: '/docs/guide/flows/refunds' }).click();
  await page.waitForURL(/\/docs\/guide\/flows\/refunds$/);
});

test('the search finds an operation, and leads to it in the API reference', async () => {
  await open('/');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('cancel a payment request');
  await page.getByRole('option').filter({ hasText: 'Tenant API' }).first().click();
  await page.waitForURL(/\/docs\/api#tag\/payment-requests\/POST/);
  await page.locator('#reference').getByRole('heading', { level: 1 }).first().waitFor();
});

/**
 * Reads of each drawing whether it is drawn, its smallest text in pixels, and the texts that leave
 * their boxes.
 */
const measureDrawings = `[...document.querySelectorAll('.drawing')].map((drawing) => {
  const svg = drawing.querySelector('svg');
  const isDrawn = getComputedStyle(svg).display !== 'none';
  const words = drawing.querySelector('.drawing-words').getBoundingClientRect();
  const scale = isDrawn ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 0;
  const sizes = [...svg.querySelectorAll('text')].map((text) => parseFloat(getComputedStyle(text).fontSize) * scale);
  const over = [...svg.querySelectorAll('g')].flatMap((part) => {
    const frame = part.querySelector('rect')?.getBBox();
    if (!frame || !isDrawn) return [];
    return [...part.querySelectorAll('text')].filter((text) => {
      const { x, y, width, height } = text.getBBox();
      return x < frame.x - 1 || x + width > frame.x + frame.width + 1 || y < frame.y - 3 || y + height > frame.y + frame.height + 3;
    }).map((text) => text.textContent);
  });
  return { isDrawn, areWordsShown: words.width > 50, smallest: Math.min(...sizes), over };
})`;

interface Measured {
  readonly isDrawn: boolean;
  readonly areWordsShown: boolean;
  readonly smallest: number;
  readonly over: readonly string[];
}

test.each([390, 1440])(
  'on a window of %s pixels each drawing has its texts in their boxes, at 11 pixels or more, or is told in words',
  async (width) => {
    await page.setViewportSize({ width, height: 900 });
    for (const path of [
      '/',
      '/reference/states',
      '/guide/flows/disputes',
      '/guide/concepts/money',
    ]) {
      await open(path);
      await page.evaluate('document.fonts.ready.then(() => {})');
      const measured = (await page.evaluate(measureDrawings)) as Measured[];
      expect(measured.length).toBeGreaterThan(0);
      for (const { isDrawn, areWordsShown, smallest, over } of measured) {
        expect([path, isDrawn]).toEqual([path, !areWordsShown]);
        if (isDrawn) expect(smallest).toBeGreaterThanOrEqual(11);
        expect([path, over]).toEqual([path, []]);
      }
      if (width === 1440) expect(measured.every(({ isDrawn }) => isDrawn)).toBe(true);
    }
  },
);

test('the first page shows its pictures in the scheme of its reader', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await open('/');
    const sources = await page
      .locator('.front-picture img:visible')
      .evaluateAll((images) => images.map((image) => image.getAttribute('src')));
    expect(sources.length).toBe(4);
    for (const source of sources) expect(source).toContain(`.${colorScheme}.webp`);
  }
});

test('a numbered rule is an address', async () => {
  await open('/rules/refunds#4');
  await expect.poll(() => page.locator('li[id="4"]').isVisible()).toBe(true);
});

test('code shows the base URL of the sandbox, and what its reader pastes, which goes nowhere', async () => {
  const { client_id, client_secret, webhook_secret } = web.server.tenant;
  await open('/sdk/corner-shop');
  await page.getByText(`=${web.hosted}`).first().waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.getByText('Show the code with your own values').click();
  await proveReadable(page, 'docs-own-values');
  const facts = { client_id, client_secret, webhook_secret };
  await page.getByLabel('Your values').fill(JSON.stringify(facts, null, 2));
  await page.getByRole('button', { name: 'Fill in' }).click();
  await page.getByText('The code on these pages has your values now.').waitFor();
  const code = await page
    .locator('pre')
    .filter({ hasText: 'CLIENT_SECRET=' })
    .first()
    .textContent();
  for (const value of [web.hosted, client_id, client_secret, webhook_secret])
    expect(code).toContain(`=${value}`);
  await page.getByLabel('Your values').fill('PAY_CLIENT_ID=cl_other\nPAY_CLIENT_SECRET=cs_other');
  await page.getByRole('button', { name: 'Fill in' }).click();
  await page.locator('pre').filter({ hasText: 'CLIENT_SECRET=cs_other' }).waitFor();
  expect(asked.filter((one) => one.includes(client_secret))).toEqual([]);
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
  expect(await page.evaluate(stored)).not.toContain(client_secret);
});

test('a reader goes from page to page to the API reference, which calls the sandbox that serves it, and back', async () => {
  const { client_id, client_secret } = web.server.tenant;
  // As a sandbox with a file of its own names its client; this one has none.
  const where = { environment: 'sandbox', base_url: web.hosted, client_id };
  await page.route('**/docs/where.json', (route) => route.fulfill({ json: where }));
  const answered = (path: string) =>
    page.waitForResponse((reply) => new URL(reply.url()).pathname === path);
  await open('/');
  await page.locator('main').getByRole('link', { name: 'Quickstart' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor();
  await page.getByRole('link', { name: 'API', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Tenant API' }).first().waitFor();
  await page.getByText('Server', { exact: true }).first().waitFor();
  await page.evaluate("location.hash = 'tag/webhook-events/GET/v1/webhook-events'");
  const reference = page.locator('#reference');
  await reference.getByText('Client Secret').first().waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  const searches = reference.locator('[role=searchbox], [type=search], button:has-text("Search")');
  expect(await searches.filter({ visible: true }).allTextContents()).toEqual([]);
  await reference.getByText(client_id).first().waitFor();
  await reference.getByPlaceholder('XYZ123').first().fill(client_secret);
  const token = answered('/oauth/token');
  await reference.getByRole('button', { name: 'Authorize' }).first().click();
  expect((await token).status()).toBe(200);
  expect((await token).request().postData()).toContain('client_secret=');
  await page.getByRole('button', { name: 'Test Request (get /v1/webhook-events)' }).click();
  const events = answered('/v1/webhook-events');
  await page.getByRole('button', { name: /^Send/ }).first().click();
  expect((await events).status()).toBe(200);
  await page.getByText('200 OK').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Rules', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
});
