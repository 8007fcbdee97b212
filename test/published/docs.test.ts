import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openServer } from '../kit/server.ts';

const server = await openServer({ workers: false });

const get = (path: string) => fetch(`${server.baseUrl}${path}`, { redirect: 'manual' });
const textOf = async (path: string) => (await get(path)).text();

const folder = (name: string) => fileURLToPath(new URL(`../../docs/${name}/`, import.meta.url));
const texts = ['guide', 'rules', 'reference'].flatMap((shelf) =>
  readdirSync(folder(shelf))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ path: `/docs/${shelf}/${name}`, file: `${folder(shelf)}${name}` })),
);
for (const sdk of ['browser', 'server'])
  texts.push({
    path: `/docs/sdk/${sdk}.md`,
    file: fileURLToPath(new URL(`../../sdk/${sdk}/README.md`, import.meta.url)),
  });
const pages = ['/docs', '/docs/api', '/docs/portal-api', ...texts.map(({ path }) => path)];

/** Everything that a page has its browser fetch by itself; links wait to be followed. */
const loadedBy = (html: string): string[] =>
  [
    ...html.matchAll(
      /<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?(?:src|data)="([^"]*)"/g,
    ),
    ...html.matchAll(/<link\b[^>]*?href="([^"]*)"/g),
    ...html.matchAll(/\burl\(["']?([^"')]+)/g),
    ...html.matchAll(/@import\s+["']([^"']+)/g),
  ].map(([, address = '']) => address);

test.each(pages)('%s is a page for everybody that loads nothing from elsewhere', async (path) => {
  const reply = await get(path);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  // Nobody but ourselves, and no inline or evaluated script.
  const sources = policy.split(';').flatMap((rule) => rule.trim().split(/\s+/).slice(1));
  const ours = ["'none'", "'self'", "'unsafe-inline'", 'data:'];
  expect(sources.filter((source) => !ours.includes(source))).toEqual([]);
  expect(policy).not.toMatch(/script-src[^;]*(unsafe|data)/);
  const html = await reply.text();
  const own = path.startsWith('/docs/api') || path.startsWith('/docs/portal-api');
  // What is shown as text has its quotes escaped; only markup can match.
  for (const address of loadedBy(html)) expect(address).toMatch(/^(\/(?!\/)|data:,$)/);
  expect(/<script/.test(html)).toBe(own);
  expect(html).toContain('name="viewport" content="width=device-width, initial-scale=1"');
  expect(html).toContain('<html lang="en">');
});

test('every address that the pages link to or load is served', async () => {
  const addresses = new Set<string>();
  for (const path of pages) {
    const html = await textOf(path);
    for (const [, target = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const { origin, pathname } = new URL(target, `${server.baseUrl}${path}`);
      if (origin === server.baseUrl) addresses.add(pathname);
    }
  }
  expect(addresses.size).toBeGreaterThan(15);
  for (const address of addresses) expect((await get(address)).status, address).toBe(200);
});

test.each(texts)('$path shows its whole text, and as it is under .txt', async ({ path, file }) => {
  const markdown = readFileSync(file, 'utf8');
  const plain = await get(path.replace(/\.md$/, '.txt'));
  expect(plain.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await plain.text()).toBe(markdown);
  const shown = (await textOf(path)).match(/<article>(.*)<\/article>/s)?.[1] ?? '';
  const read = shown
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  const written = markdown
    .replace(/^# .*\n/, '')
    .replaceAll(/<!--.*?-->|^```\w*$|^ *\d+\. |^\|[ |-]+\|$/gms, '')
    .replaceAll(/!\[[^\]]+\]\([^)\s]+\)/g, '')
    .replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
    .replaceAll(/\b_([^_`]+)_\b/g, '$1');
  const words = (text: string) => text.replaceAll(/[\s|`*#\\-]+/g, '');
  expect(words(read)).toBe(words(written));
});

test('a guide is read as it is meant: headings, tables, lists, code, no markup of its own', async () => {
  const html = await textOf('/docs/guide/running.md');
  expect(html).toContain('<h2 id="a-tenants-settings">A tenant&#39;s settings</h2>');
  expect(html).toMatch(
    /<tr>\s<td><code>PORT<\/code><\/td>\s<td>8080<\/td>\s<td>[^<]+<\/td>\s<\/tr>/,
  );
  expect(html).toMatch(/<pre class="wide" tabindex="0">[^<]*npm run cli -- clock +#/);
  expect(html).toMatch(/<ul>\n<li>/);
  expect(await textOf('/docs/guide/hosted.md')).toMatch(/<ol start="1">\n<li id="1"><code>POST/);
  for (const { path } of texts) {
    const prose = (await textOf(path)).replaceAll(/<(pre|code)[^>]*>.*?<\/\1>/gs, '');
    expect(prose, path).not.toMatch(/^#|^\||```|\*\*|\]\(/m);
  }
});

test('what a page links to within another is there', async () => {
  for (const { path } of texts)
    for (const [, target = ''] of (await textOf(path)).matchAll(/href="([^"]*#[^"]*)"/g)) {
      const { origin, pathname, hash } = new URL(target, `${server.baseUrl}${path}`);
      if (origin === server.baseUrl && hash !== '#main')
        expect(await textOf(pathname), target).toContain(`id="${hash.slice(1)}"`);
    }
});

test('the index and the guides lead to what the SDKs say of themselves', async () => {
  expect(await textOf('/docs/guide/hosted.md')).toContain('href="/docs/sdk/browser.md"');
  expect(await textOf('/docs')).toContain('href="/docs/sdk/server.md"');
});

test('the portal that every Tenant is told of is a page, and so is each address below it', async () => {
  for (const path of ['/portal', '/portal/', '/portal/records/payments']) {
    const page = await fetch(`${server.baseUrl}${path}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="app"')]);
  }
  expect((await fetch(`${server.baseUrl}/portal/api/nothing`)).status).toBe(404);
});

test.each([
  '/docs/guide/nothing.md',
  '/docs/guide/..%2f..%2fREADME.md',
  '/docs/decisions/layout.md',
  '/docs/guide/first-hour',
])('%s is not found', async (path) => {
  const reply = await get(path);
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ error: { code: 'not_found' } });
});

test('the API reference is told to ask nobody, and its script cannot evaluate text', async () => {
  for (const name of ['api', 'portal-api']) {
    const start = await textOf(`/docs/assets/${name}.js`);
    const configuration = JSON.parse(start.slice(start.indexOf('{'), start.lastIndexOf('}') + 1));
    expect(configuration).toMatchObject({
      agent: { disabled: true },
      mcp: { disabled: true },
      telemetry: false,
      withDefaultFonts: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      proxyUrl: '',
    });
    expect((await get(configuration.url)).status).toBe(200);
    expect(start).not.toMatch(/https?:/);
  }
  const script = await textOf('/docs/assets/reference.js');
  expect(script.length).toBeGreaterThan(1_000_000);
  expect(script).toContain('createApiReference');
  // What the policy would stop.
  expect(script).not.toMatch(/\beval\(|new Function\(|importScripts\(|new Worker\(|sendBeacon/);
});

test('each setting that keeps the reference quiet is one that its script reads', async () => {
  const script = await textOf('/docs/assets/reference.js');
  for (const word of ['agent?.disabled', 'mcp?.disabled', 'withDefaultFonts', 'hideClientButton'])
    expect(script).toContain(word);
});
