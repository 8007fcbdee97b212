import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { inOrder } from '../../web/ui/isolated.ts';
import type { ReplyBody } from '../kit/http/http.ts';
import { patienceMs } from '../kit/pages/browser/browser.ts';
import { browser, hostedPathOf, useWeb, web } from '../kit/pages/browser/web.ts';
import { openHostedPages, pin } from '../kit/pages/hosted.ts';
import { refusalOf } from '../kit/refusal.ts';
import { loadToken, newPayment } from './states/states_confirm.ts';
import { hostedPath, newWalker } from './states/walker.ts';

/** Texts that would run `canary()`, or leave an element, wherever a page took them for more than text. */
const shapes = [
  '<script>canary()</script>',
  '</title><script>canary()</script>',
  '</style><script>canary()</script>',
  '</script><script>canary()</script>',
  '</textarea><script>canary()</script>',
  '--><script>canary()</script>',
  ']]><script>canary()</script>',
  '<SCRIPT SRC=//localhost/canary.js></SCRIPT>',
  '<script type=module>canary()</script>',
  '<scr<script>ipt>canary()</script>',
  '<img src=x onerror=canary()>',
  '<img/src=x/onerror=canary()>',
  '"><img src=x onerror=canary()>',
  "'><img src=x onerror=canary()>",
  '`><img src=x onerror=canary()>',
  '<img src=`x` onerror=canary()>',
  '<svg onload=canary()>',
  '<svg/onload=canary()>',
  '<svg><script>canary()</script></svg>',
  '<svg><animate onbegin=canary() attributeName=x dur=1s>',
  '<svg><a href=javascript:canary()><text>x</text></a></svg>',
  '<math href=javascript:canary()>x</math>',
  '<body onload=canary()>',
  '<iframe src=javascript:canary()>',
  '<iframe srcdoc="<script>parent.canary()</script>">',
  '<object data=javascript:canary()>',
  '<embed src=javascript:canary()>',
  '<link rel=stylesheet href=//localhost/canary.css>',
  '<style>@import "//localhost/canary.css"</style>',
  '<style onload=canary()></style>',
  '<base href=//localhost/>',
  '<meta http-equiv=refresh content=0;url=javascript:canary()>',
  '<form action=javascript:canary()><button>x</button></form>',
  '<input autofocus onfocus=canary()>',
  '<details open ontoggle=canary()>',
  '<video><source onerror=canary()></video>',
  '<audio src=x onerror=canary()>',
  '<marquee onstart=canary()>',
  '<a href=javascript:canary()>x</a>',
  '<div style="animation-name:x" onanimationstart=canary()>',
  '<noscript><p title="</noscript><img src=x onerror=canary()>">',
  '<template><script>canary()</script></template>',
  '" onmouseover=canary() autofocus onfocus=canary() x="',
  "' onfocus=canary() autofocus x='",
  'javascript:canary()',
  'data:text/html,<script>parent.canary()</script>',
  '{{constructor.constructor("canary()")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the payload of a template engine
  '${canary()}',
  '";canary();//',
  '}</style><script>canary()</script>',
];

const inEntities = (text: string) =>
  text.replace(/[<>"'&]/g, (character) => `&#${character.charCodeAt(0)};`);

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  inEntities,
  (text) => `\u202e\u0000${text}`,
  (text) => `${text}\r\n\r\n${text}`,
];

const rawPayloads: readonly string[] = shapes;
const payloads: readonly string[] = encodings.flatMap((encode) => shapes.map(encode));

/** Addresses that would run, or lead elsewhere than they seem to. */
const addresses: readonly string[] = [
  'javascript:canary()',
  'JaVaScRiPt:canary()',
  ' javascript:canary()',
  '\u0001javascript:canary()',
  'java\tscript:canary()',
  'java\r\nscript:canary()',
  'javascript://shop.example/%0Acanary()',
  'javascript&colon;canary()',
  'data:text/html,<script>parent.canary()</script>',
  'data:text/html;base64,PHNjcmlwdD5wYXJlbnQuY2FuYXJ5KCk8L3NjcmlwdD4=',
  'vbscript:canary()',
  'blob:https://shop.example/6a2f',
  'filesystem:https://shop.example/temporary/x',
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://shop.example/',
  'intent://shop.example/#Intent;scheme=https;end',
  '//shop.example/done',
  '/done',
  '\\\\shop.example\\done',
  'http://shop.example/done',
  'ws://shop.example/',
  'https://ana@shop.example/',
  'https://ana:secret@shop.example/',
  'https://shop.example@evil.example/',
  'https://shop.example\\@evil.example/',
  'https://shop.example%40evil.example/',
  'https://shop.example/\r\nset-cookie: a=b',
  'https://shop.example/\u0000',
  'https://shop.example/\u202egpj.exe',
  'https://shop\u3002example/',
  'https://\u0455hop.example/',
  'https://shop.example\u2028/',
  'ht\ttps://shop.example/',
  'https://',
  'https://[::1',
  'https://shop.example:99999/',
];

/** Origins that would say more in a policy than one origin. */
const origins: readonly string[] = [
  '*',
  "'self'",
  'null',
  'https:',
  'https://*',
  'https://*.shop.example',
  'https://shop.example/',
  'https://shop.example/done',
  'https://shop.example:443',
  'HTTPS://shop.example',
  'https://SHOP.example',
  'https://shop.example; script-src *',
  "https://shop.example 'unsafe-inline'",
  'https://shop.example https://evil.example',
  'https://shop.example,https://evil.example',
  'https://shop.example\r\nset-cookie: a=b',
];

/** Elements and attributes that no page of ours has, and these texts would make. */
const foreign =
  '#app :is(script, iframe, object, embed, base, math, style, link, meta, video, audio, marquee, template, animate), [onerror], [onload], [onfocus], [onmouseover], [ontoggle], [href^="javascript:"], [href^="data:text"]';

/** Texts that others wrote are text on every page, and never more. */
useWeb();
let context: BrowserContext;
let page: Page;
const ran: string[] = [];
beforeAll(async () => {
  context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  await context.exposeFunction('canary', () => ran.push('a script'));
  await context.exposeFunction('refused', (what: string) => ran.push(`refused: ${what}`));
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => refused(event.violatedDirective + ' ' + event.blockedURI))",
  );
  page = await context.newPage();
  page.on('dialog', (dialog) => {
    ran.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
});

/** The texts that were carried in, and what they made beside text. */
async function expectText(given: string): Promise<void> {
  expect(ran, given).toEqual([]);
  expect(await page.locator(foreign).count(), given).toBe(0);
}

/** The whole text is there. Pages drop what would turn its order, wherever it stands in a sentence. */
async function expectShown(given: string): Promise<void> {
  expect(inOrder((await page.locator('main').textContent()) ?? '')).toContain(inOrder(given));
}

let at = 0;
let carried = 0;
/** The next one, whatever field it is for. */
function nextPayload(): string {
  carried += 1;
  at += 1;
  return payloads[at % payloads.length] ?? '';
}
/** The next payloads, joined to one text: if it is shown whole, each of them is. */
const many = (count: number) => Array.from({ length: count }, nextPayload).join(' ');

/** Opens a page that receives this in place of the service's answer. */
async function showAt(
  [api, path, token]: readonly [api: string, path: string, token: string],
  json: object,
  sees: string,
): Promise<void> {
  await page.unrouteAll();
  await page.route(`**/hosted/api${api}`, (route) => route.fulfill({ json }));
  await newWalker(page, web, 'en').open(token, path);
  await page.locator(sees).first().waitFor();
}
const show = (view: ReplyBody, sees: string) =>
  showAt(['/open', '', 'st_x'], { bearer: 'b', view }, sees);

test('a script that runs is noticed: the test can fail', async () => {
  await page.goto(web.site.origin);
  await page.evaluate('canary()');
  await expect.poll(() => ran).toEqual(['a script']);
  ran.length = 0;
});

test('2,000 payloads through every text of a view: none runs, and none makes an element', async () => {
  const pages = openHostedPages(web.server);
  const { view: confirm } = await pages.page(await loadToken(web));
  const { onboarding_session } = await web.api.customer('business');
  const { view: onboarding } = await pages.page(onboarding_session.token);
  const fields = [
    'counterparty',
    'description',
    'collection_point',
    'order_reference',
    'invoice_reference',
  ];
  for (let round = 0; round < 6; round += 1) {
    const { confirmation, customer } = structuredClone(confirm);
    for (const field of fields) confirmation[field] = many(5);
    confirmation.type = 'payment';
    confirmation.from = {
      type: 'bank_account',
      institution_name: many(5),
      account_mask: many(5),
    };
    customer.display_name = many(5);
    const branding = { ...confirm.branding, name: many(5), logo_url: nextPayload() };
    await show({ ...confirm, confirmation, customer, branding, return_url: null }, '#field-pin');
    for (const shown of [confirmation.counterparty, confirmation.invoice_reference])
      await expectShown(shown);
    await expectText(`confirm, round ${round}, up to payload ${at}`);
  }
  for (let round = 0; round < 2; round += 1) {
    const facts = structuredClone(onboarding.onboarding);
    for (const field of Object.keys(facts.names)) facts.names[field] = nextPayload();
    facts.status = 'pending';
    facts.owners = Array.from({ length: 870 }, (_, index) => ({
      id: `own_${index}`,
      name: nextPayload(),
      role: 'owner',
      ownership_percent: 1,
      verification_status: 'invited',
    }));
    await show({ ...onboarding, onboarding: facts }, 'text=Owners and control');
    await expectShown(facts.owners.at(-1).name);
    await expectText(`onboarding, round ${round}, up to payload ${at}`);
  }
  expect(carried).toBeGreaterThanOrEqual(2_000);
});

test("500 payloads through an owner's page, and more through Sandbox Bank: all of them text", async () => {
  const branding = { name: 'Test Tenant', logo_url: null, primary_color: '#1f5eff' };
  const owner = {
    object: 'hosted_owner_view',
    environment: 'sandbox',
    branding,
    role: 'owner',
    ownership_percent: 40,
    status: 'invited',
    now: '2026-01-20T15:00:00Z',
    expires_at: '2026-01-27T15:00:00Z',
  };
  for (let round = 0; round < 3; round += 1) {
    const [business_name, owner_name] = [many(84), many(84)];
    const view = { ...owner, business_name, owner_name };
    await showAt(['/owner/open', '/owner', 'ol_x'], view, 'h1');
    for (const shown of [business_name, owner_name]) await expectShown(shown);
    await expectText(`owner, round ${round}, up to payload ${at}`);
  }
  const banks = payloads.map((name, index) => ({
    bank: `bank_${index}`,
    name,
    accounts: [{ id: null, account_type: 'checking', account_mask: nextPayload() }],
    outcome: 'verified',
  }));
  const view = { object: 'hosted_bank_view', branding, customer_name: nextPayload(), banks };
  await showAt(['/bank/open', '/bank', 'link-sandbox_x'], view, 'button.bank');
  await expectText('banks');
  const result = { public_token: many(84), aggregator_account_id: many(84) };
  await page.route('**/hosted/api/bank', (route) => route.fulfill({ json: result }));
  const button = page.locator('button.bank');
  const sharedBanks = 12;
  for (let index = 0; index < sharedBanks; index += 1) {
    await button.nth(index).click();
    await expectShown(banks[index]?.name ?? '');
    await expectText(`share of bank ${index}`);
    if (index < sharedBanks - 1) await page.getByRole('button', { name: 'Back' }).click();
  }
  await page.getByRole('button', { name: 'Share account' }).click();
  await page.locator('code.token').nth(1).waitFor();
  for (const shown of Object.values(result)) await expectShown(shown);
  await expectText('shared');
});

test('no address that could run is taken by the settings, or by a session, or followed by a page', async () => {
  const before = await web.api.get('/portal/api/settings');
  const inLists = ['return_urls', 'frame_origins', 'link_redirect_uris'];
  const tries = [
    ...addresses.flatMap((each) => inLists.map((key) => ({ [key]: [each] }))),
    ...addresses.map((logo_url) => ({ branding: { ...before.branding, logo_url } })),
    ...[...origins, ...rawPayloads].map((each) => ({ frame_origins: [each] })),
    ...rawPayloads.map((each) => ({ return_urls: [each] })),
  ];
  const taken: object[] = [];
  for (const body of tries) if ((await change(body)).status !== 400) taken.push(body);
  expect(taken).toEqual([]);
  expect(await web.api.get('/portal/api/settings')).toEqual(before);

  const { customerId: customer_id } = await web.api.funded('individual', 200_00);
  for (const return_url of [...addresses, ...rawPayloads]) {
    const session = { flow: 'terms_acceptance', customer_id, return_url };
    const { code } = await refusalOf(web.api.post('/v1/sessions', session));
    expect([return_url, code]).toEqual([
      return_url,
      expect.stringMatching(/^(session_invalid|parameter_invalid)$/),
    ]);
  }
  const { view } = await openHostedPages(web.server).page(await loadToken(web));
  // The rule for addresses that a page follows is tested in `web/flows/opener/address.test.ts`;
  // that the page obeys it is seen here.
  for (const return_url of ['javascript:canary()', 'data:text/html,x', 'nothing']) {
    await show({ ...view, status: 'canceled', time: null, return_url }, 'text=Not confirmed');
    expect(await page.locator('main button').allTextContents()).toEqual(['Save or print']);
    await expectText(return_url);
  }
});

test('through the service itself: what the Tenant writes into records is text', async () => {
  await page.unrouteAll();
  for (let index = 0; index < 2; index += 1) {
    const [name = '', description = '', invoice_reference = ''] = [60, 140, 64].map(
      (most, field) => packed(rawPayloads.slice(field * 15), most)[index],
    );
    const payment = await newPayment(web, { name, description, invoice_reference });
    const walker = newWalker(page, web, 'en');
    await page.goto('about:blank');
    await walker.open(payment.confirmation_session.token);
    for (const text of [name, description, invoice_reference])
      await page.getByText(text, { exact: true }).waitFor();
    await expectText(`record ${index}`);
  }
});

const change = (body: object) => web.server.call('PUT', '/portal/api/settings', { body });

/** The texts joined into as few as possible, none longer than `most` characters. */
function packed(texts: readonly string[], most: number): string[] {
  const whole: string[] = [];
  for (const text of texts) {
    const joined = `${whole.at(-1) ?? text.padEnd(most)} ${text}`;
    if (joined.length > most) whole.push(text);
    else whole.splice(-1, 1, joined);
  }
  return whole;
}

test("the Tenant's name is text in the shell, in its title and in its attributes", async () => {
  await page.unrouteAll();
  const { server, hosted } = web;
  const names = packed(rawPayloads, 100);
  // One Tenant for each: what a page shows of a Tenant is believed for a second.
  const tenants = await Promise.all(
    names.map(async (name) => {
      const tenant = await server.anotherTenant();
      const branding = { name, logo_url: null, primary_color: '#1f5eff' };
      await server.apiOf(tenant).settings({ branding });
      return { name, path: hostedPathOf(tenant) };
    }),
  );
  for (const { name, path } of tenants) {
    await page.goto(`${hosted}${path}`);
    await page.locator('h1').waitFor();
    expect(await page.locator('p.tenant').textContent()).toBe(name);
    expect(await page.title()).toContain(name.trim());
    await expectText(name);
  }
});

test('every page says who may frame it, runs by its nonce alone and is cached nowhere', async () => {
  const { origin } = web.site;
  const nonces = new Set<string>();
  for (const path of ['', '/owner', '/bank']) {
    const { headers } = await fetch(`${web.hosted}${hostedPath(web)}${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    nonces.add(/script-src 'nonce-([^']+)' 'strict-dynamic';/.exec(policy)?.[1] ?? 'none');
    expect(policy.split('; ')).toContain(`frame-ancestors ${origin}`);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toBeNull();
  }
  expect(nonces.size).toBe(3);
  const ofNoTenant = await fetch(`${web.hosted}/hosted`);
  expect(ofNoTenant.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const api = await fetch(`${web.hosted}/hosted/api/session`);
  expect(api.headers.get('cache-control')).toBe('no-store');
  expect(api.headers.get('access-control-allow-origin')).toBeNull();
});

test('another origin that frames a page gets nothing', async () => {
  await web.letFrame('https://shop.example');
  await page.goto(web.site.origin);
  const address = `${web.hosted}${hostedPath(web)}`;
  await page.evaluate((src) => {
    const { document } = globalThis as unknown as {
      document: { createElement(name: string): object; body: { append(child: object): void } };
    };
    document.body.append(Object.assign(document.createElement('iframe'), { src }));
  }, address);
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  await web.letFrame(web.site.origin);
  ran.length = 0;
});

test('no token and no bearer in the address or the Referer of any request', async () => {
  const seen: string[] = [];
  const secrets: string[] = [];
  const token = await loadToken(web);
  await openHostedPages(web.server).givePins();
  context.on('request', (request) => {
    const { referer = '', authorization = '' } = request.headers();
    seen.push(request.url(), referer);
    if (authorization) secrets.push(authorization.replace('Bearer ', ''));
  });
  await page.goto('about:blank');
  const walker = newWalker(page, web, 'en');
  await walker.open(token);
  await walker.fill({ pin });
  await page.locator('#field-pin').press('Enter');
  await page.getByText('One more step at your bank').waitFor();
  const addresses = seen.map((each) => each.split('#', 1)[0]).join('\n');
  expect(secrets.length).toBeGreaterThan(0);
  for (const secret of [token, ...secrets, pin]) expect(addresses).not.toContain(secret);
  expect(page.url()).not.toContain(token);
  expect(seen.filter((_, index) => index % 2 === 1).join('')).toBe('');
});
