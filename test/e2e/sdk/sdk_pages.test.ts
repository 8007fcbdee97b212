import { expect, test } from 'vitest';
import { ended, endings, pay } from '../../kit/pages/browser/tenant_site.ts';
import type { TestWeb } from '../../kit/pages/browser/web.ts';
import { page, useVisitors, useWeb, visitor, web } from '../../kit/pages/browser/web.ts';
import { openHostedPages } from '../../kit/pages/hosted.ts';
import { fakeToken } from '../fake_pages.ts';
import { tokenFor } from '../states/walker.ts';

/** The messages of the SDK and the real pages when they are set up wrongly. */
useWeb();
useVisitors();

const newToken = async (customerId?: string) =>
  tokenFor(web, 'pin_reset', customerId ?? (await web.api.funded('individual', 200_00)).customerId);

test('src and integrity belong together: an address holds these bytes for ever, and no others', async () => {
  const at = (path: string, init?: RequestInit) => fetch(new URL(path, web.hosted), init);
  const caching = (reply: Response) => reply.headers.get('cache-control');
  const { src, integrity } = (await (await at('/sdk/v1.json')).json()) as Record<string, string>;
  expect(src).toMatch(/^\/sdk\/v1\.js\?v=[0-9a-f]{16}$/);
  // fetch itself refuses bytes that are not those of the integrity.
  const script = await at(`${src}`, { integrity: `${integrity}` });
  expect([script.status, caching(script)]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(caching(await at('/sdk/v1.js'))).toBe('public, max-age=300');
  expect(caching(await at('/sdk/v1.js?v=0123456789abcdef'))).toBe('no-store');
});

test('a site that is not in frame_origins is told so at once, with the name of the setting, and its console is not flooded', async () => {
  const stranger = web.site.origin.replace('127.0.0.1', 'localhost');
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.clock.install();
  await page.goto(stranger);
  await pay(page, { mode: 'modal', token: await newToken() });
  await page.waitForSelector('iframe', { state: 'attached' });
  for (let seconds = 0; seconds < 2; seconds += 1) await page.clock.runFor(1_000);
  const [exit] = endings(await ended(page));
  const message = `${stranger} is not in the setting frame_origins of the Tenant: add it in the portal, under Settings`;
  expect(exit).toMatchObject({ kind: 'exit', facts: [{ code: 'load_failed', message }, {}] });
  // Each call to a page that the browser did not show is a line.
  const lines = () => said.filter((line) => line.includes('target origin provided')).length;
  await expect.poll(lines).toBeGreaterThan(0);
  expect(lines()).toBeLessThanOrEqual(16);
  visitor.forgive(/frame-ancestors/);
});

test('a window of a site that is not in frame_origins is told so at once, and says so itself', async () => {
  const stranger = web.site.origin.replace('127.0.0.1', 'localhost');
  await page.goto(stranger);
  const begun = Date.now();
  const opened = page.waitForEvent('popup');
  await pay(page, { mode: 'popup', token: await newToken() });
  await opened;
  const [exit] = endings(await ended(page));
  const message = `${stranger} is not in the setting frame_origins of the Tenant: add it in the portal, under Settings`;
  expect(exit).toMatchObject({ kind: 'exit', facts: [{ code: 'load_failed', message }, {}] });
  expect(Date.now() - begun).toBeLessThan(10_000);

  // An older SDK does not close the window: then the page shows the fault itself.
  const [left] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`(() => {
      const held = open('${web.hosted}/hosted/${web.server.tenant.tenantId.replaceAll('-', '')}');
      const call = () =>
        held.postMessage({ tps: 1, type: 'connect' }, '*', [new MessageChannel().port2]);
      setInterval(call, 100);
    })()`),
  ]);
  await left.getByRole('heading', { level: 1, name: 'This site may not open this page' }).waitFor();
  await left.getByText('not in the setting frame_origins').waitFor();
  await left.close();
});

test.each([
  ['used', /was used before/],
  ['expired', /has expired/],
  ['ended', /has ended, or a newer session/],
  ['unknown', /does not know its token/],
] as const)('a session that cannot be opened says why: %s', async (reason, words) => {
  const { customerId } = await web.api.funded('individual', 200_00);
  const token = reason === 'unknown' ? fakeTokenOf(web) : await newToken(customerId);
  if (reason === 'used') await openHostedPages(web.server).page(token);
  if (reason === 'ended') await newToken(customerId);
  if (reason === 'expired') await web.api.advance(3_601);
  await page.goto(web.site.origin);
  await pay(page, { mode: 'modal', token });
  await page.frameLocator('iframe').getByRole('button', { name: 'Back to' }).click();
  const message = expect.stringMatching(words);
  expect(endings(await ended(page))).toMatchObject([
    { kind: 'exit', facts: [{ code: 'session_invalid', message }, {}] },
  ]);
});

test('by redirect a page that is reloaded leads back to where the customer came from', async () => {
  await page.goto(web.site.origin);
  await pay(page, { mode: 'redirect', token: await newToken() });
  await page.getByRole('heading', { level: 1, name: 'Verify your phone number' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'This link was already used' }).waitFor();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.waitForURL(`${web.site.origin}/`);
});

test('a reloaded page that no SDK opened offers no way back', async () => {
  await page.goto(web.site.origin);
  const link = `${web.hosted}/hosted#${await newToken()}`;
  const [tab] = await Promise.all([
    visitor.context.waitForEvent('page'),
    page.evaluate(`window.open('${link}', '_blank', 'noopener') && undefined`),
  ]);
  await tab.getByRole('heading', { level: 1, name: 'Verify your phone number' }).waitFor();
  await tab.reload();
  await tab.getByRole('heading', { level: 1, name: 'This link was already used' }).waitFor();
  expect(await tab.getByRole('button').count()).toBe(0);
});

/** A token of this Tenant, whose settings say who may frame the page, and of no session. */
function fakeTokenOf({ server }: TestWeb): string {
  const tenant = Buffer.from(server.tenant.tenantId.replaceAll('-', ''), 'hex');
  const rest = Buffer.from(fakeToken.slice(3), 'base64url').subarray(tenant.length);
  return `st_${Buffer.concat([tenant, rest]).toString('base64url')}`;
}
