import { expect, test } from 'vitest';
import { adapterSettings } from '../../adapters/settings.ts';
import { parseConfig } from '../../service/config/config.ts';
import { sharedBrowser } from '../kit/pages/browser/browser.ts';
import { hostedPathOf, useWeb, web } from '../kit/pages/browser/web.ts';

/** The page at which customers share an account, where Plaid is the aggregator. Plaid's script is the test's own. */

const env = {
  AGGREGATOR: 'plaid',
  PLAID_CLIENT_ID: 'of the test',
  PLAID_SECRET: 'of the test',
  PLAID_CLIENT_NAME: 'Corner Bank',
};
const { adapters } = parseConfig(env, adapterSettings);
useWeb({ config: { adapters } });

const token = 'link-sandbox-af1a0311-da53-4636-b754-dd15cc058176';
const script = `window.Plaid = { create: (options) => ({
  destroy() {},
  open() {
    document.body.dataset.opened = options.token;
    const frame = document.createElement('iframe');
    frame.src = 'https://cdn.plaid.com/link';
    document.body.append(frame);
    window.share = () => options.onSuccess('public-sandbox-1', { accounts: [{ id: 'acc-1' }] });
  },
}) };`;

test('the page opens Plaid Link with its token, and shows what was shared', async () => {
  const page = await (await (await sharedBrowser()).newContext()).newPage();
  const faults: string[] = [];
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  const reached: string[] = [];
  await page.route('https://cdn.plaid.com/**', (route) => {
    const url = route.request().url();
    reached.push(url);
    const isScript = url.endsWith('.js');
    return route.fulfill({
      contentType: isScript ? 'text/javascript' : 'text/html',
      body: isScript ? script : 'Plaid',
    });
  });
  await page.goto(`${web.hosted}${hostedPathOf(web.server.tenant)}/bank#${token}`);
  await page.locator(`body[data-opened="${token}"]`).waitFor();
  await page.evaluate('window.share()');
  await page.getByText('public-sandbox-1').waitFor();
  await page.getByText('acc-1').waitFor();
  expect(reached).toEqual([
    'https://cdn.plaid.com/link/v2/stable/link-initialize.js',
    'https://cdn.plaid.com/link',
  ]);
  expect(faults).toEqual([]);
});

test("no other page names Plaid's hosts", async () => {
  const policyOf = async (path: string) =>
    (await fetch(`${web.hosted}${path}`)).headers.get('content-security-policy');
  const tenant = hostedPathOf(web.server.tenant);
  expect(await policyOf(`${tenant}/bank`)).toContain(
    "connect-src 'self' https://sandbox.plaid.com; frame-src https://cdn.plaid.com",
  );
  for (const path of [tenant, `${tenant}/owner`, '/hosted', '/portal', '/console'])
    expect([path, await policyOf(path)]).toEqual([path, expect.not.stringContaining('plaid')]);
});
