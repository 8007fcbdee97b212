import { afterAll, expect, test } from 'vitest';
import { adapterSettings } from '../../adapters/settings.ts';
import { parseConfig } from '../../service/config/config.ts';
import { application, code } from '../kit/pages/applicant.ts';
import { sharedBrowser } from '../kit/pages/browser/browser.ts';
import { hostedPathOf, useWeb, web } from '../kit/pages/browser/web.ts';
import { openHostedPages } from '../kit/pages/hosted.ts';
import { openCounterpart } from '../kit/plaid/counterpart.ts';
import { axeViolations } from './axe.ts';

/** The pages that open Plaid Link: to share an account, and to verify oneself. Plaid's script is the test's own. */

const counterpart = await openCounterpart();
afterAll(() => counterpart.close());
const { clientId, secret, template } = counterpart.state;
const env = {
  AGGREGATOR: 'plaid',
  IDENTITY: 'plaid',
  PLAID_IDENTITY_TEMPLATE: template,
  PLAID_CLIENT_ID: clientId,
  PLAID_SECRET: secret,
  PLAID_URL: counterpart.url,
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
    window.leave = () => options.onExit();
    window.share = () => options.onSuccess('public-sandbox-1', { accounts: [{ id: 'acc-1' }] });
  },
}) };`;

/** A window of a phone with Plaid's script in place, what it reached of Plaid, and what went wrong. */
async function phone(locale = 'en-US') {
  const viewport = { width: 320, height: 640 };
  const context = await (await sharedBrowser()).newContext({ locale, viewport });
  const faults: string[] = [];
  const reached: string[] = [];
  context.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
  context.on('weberror', (error) => faults.push(String(error.error())));
  await context.route('https://cdn.plaid.com/**', (route) => {
    const url = route.request().url();
    reached.push(url);
    const isScript = url.endsWith('.js');
    return route.fulfill({
      contentType: isScript ? 'text/javascript' : 'text/html',
      body: isScript ? script : 'Plaid',
    });
  });
  return { context, faults, reached };
}

async function opened(path: string) {
  const { context, ...seen } = await phone();
  const page = await context.newPage();
  await page.goto(`${web.hosted}${hostedPathOf(web.server.tenant)}${path}#${token}`);
  await page.locator(`body[data-opened="${token}"]`).waitFor();
  return { page, ...seen };
}
const ofPlaid = [
  'https://cdn.plaid.com/link/v2/stable/link-initialize.js',
  'https://cdn.plaid.com/link',
];

test('the page opens Plaid Link with its token, and shows what was shared', async () => {
  const { page, faults, reached } = await opened('/bank');
  await page.evaluate('window.share()');
  await page.getByText('public-sandbox-1').waitFor();
  await page.getByText('acc-1').waitFor();
  expect(reached).toEqual(ofPlaid);
  expect(faults).toEqual([]);
});

test('whoever verifies themself may leave the step, go on, and read that it is done, and no token is shown', async () => {
  const { page, faults, reached } = await opened('/identity');
  await page.evaluate('window.leave()');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.evaluate('window.share()');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect(await page.getByText('public-sandbox-1').count()).toBe(0);
  expect(reached).toEqual([...ofPlaid, 'https://cdn.plaid.com/link']);
  expect(faults).toEqual([]);
});

test.each([
  ['en-US', 'Verify my identity', 'Thank you'],
  ['es-US', 'Verificar mi identidad', 'Gracias'],
])(
  'whoever has applied finds the step in %s, which opens on a page of its own and says when it is done',
  async (locale, start, done) => {
    const { api, server } = web;
    const { onboarding_session } = await api.customer('individual');
    const form = await openHostedPages(server).page(onboarding_session.token);
    await form.ask('/code', {});
    await form.ask('/code/check', { code });
    const { status } = await form.ask('/onboarding', { ...application, pin: '847261' });
    expect(status).toBe(200);
    await server.runJobs();
    const { context, faults } = await phone(locale);
    const page = await context.newPage();
    // The page goes on where the form has ended.
    const held = { bearer: form.bearer, view: await form.look() };
    await page.route('**/hosted/api/open', (route) => route.fulfill({ json: held }));
    await page.goto(`${web.hosted}${hostedPathOf(server.tenant)}#${onboarding_session.token}`);
    const link = page.getByRole('link', { name: start });
    await link.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    const [step] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await step.locator('body[data-opened^="link-sandbox-"]').waitFor();
    expect(
      counterpart.state.linkTokens.has(await step.evaluate('document.body.dataset.opened')),
    ).toBe(true);
    await step.evaluate("document.querySelector('iframe').remove(); window.share()");
    await step.getByRole('heading', { name: done }).waitFor();
    expect(await axeViolations(step)).toEqual([]);
    expect(faults).toEqual([]);
    expect(counterpart.faults).toEqual([]);
  },
);

test("no other page names Plaid's hosts", async () => {
  const policyOf = async (path: string) =>
    (await fetch(`${web.hosted}${path}`)).headers.get('content-security-policy');
  const tenant = hostedPathOf(web.server.tenant);
  for (const path of ['/bank', '/identity'])
    expect(await policyOf(`${tenant}${path}`)).toContain(
      "connect-src 'self' https://sandbox.plaid.com; frame-src https://cdn.plaid.com",
    );
  for (const path of [tenant, `${tenant}/owner`, '/hosted', '/portal', '/console'])
    expect([path, await policyOf(path)]).toEqual([path, expect.not.stringContaining('plaid')]);
});

test('the camera is for the identity step alone', async () => {
  const tenant = hostedPathOf(web.server.tenant);
  const cameraAt = async (path: string) =>
    /camera=([^,]*)/.exec(
      (await fetch(`${web.hosted}${path}`)).headers.get('permissions-policy') ?? '',
    )?.[1];
  expect(await cameraAt(`${tenant}/identity`)).toBe('(self "https://cdn.plaid.com")');
  for (const path of [tenant, `${tenant}/bank`, `${tenant}/owner`])
    expect(await cameraAt(path)).toBe('()');
});
