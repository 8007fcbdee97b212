import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { sandboxFile } from '@tenant-payments/service/tenants/files.ts';
import { beforeAll, expect, test } from 'vitest';
import { buildIfStale } from '../kit/processes/built.ts';
import { openServer, startTestServer } from '../kit/server.ts';

/** The documentation as the service serves it (rules/docs-site). */

const root = fileURLToPath(new URL('../..', import.meta.url));
beforeAll(() => buildIfStale('docs'));
const server = await openServer({ workers: false });

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.baseUrl}${path}`, { redirect: 'manual', headers });
const textOf = async (path: string) => (await get(path)).text();
const built = (path: string) => readFileSync(join(root, 'dist/docs', path), 'utf8');

interface Built {
  readonly pages: readonly string[];
  readonly files: readonly string[];
}
const site = (): Built => JSON.parse(readFileSync(join(root, 'dist/docs.json'), 'utf8'));
const markdownOf = (page: string) => `${page.endsWith('/') ? `${page}index` : page}.md`;
const references = ['/docs/api', '/docs/portal-api'];

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

test('with DOCS=off nothing is served below /docs, and no new Tenant is led there', async () => {
  const bare = await startTestServer({ workers: false, config: { docs: 'off' } });
  for (const path of ['/docs', '/docs/', '/docs/api', '/docs/where.json', '/llms.txt'])
    expect([path, (await fetch(`${bare.baseUrl}${path}`)).status]).toEqual([path, 404]);
  const made = await bare.call('POST', '/portal/api/tenants', {
    token: bare.operatorKey,
    body: { name: 'Without docs' },
  });
  expect([made.status, made.body.docs_url]).toEqual([201, null]);
  await bare.stop();
});

test('with an address in DOCS every page of /docs leads to the same one there, and so is a new Tenant led', async () => {
  const site = 'https://docs.example.com/docs';
  const led = await startTestServer({ workers: false, config: { docs: site } });
  const toOf = async (path: string) => {
    const { status, headers } = await fetch(`${led.baseUrl}${path}`, { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  for (const [path, to] of [
    ['/docs', site],
    ['/docs/', `${site}/`],
    ['/docs/guide/running?a=%2F', `${site}/guide/running?a=%2F`],
    ['/docs//evil.example', `${site}//evil.example`],
    ['/llms.txt', `${site}/llms.txt`],
  ] as const)
    expect([path, ...(await toOf(path))]).toEqual([path, 307, to]);
  const made = await led.call('POST', '/portal/api/tenants', {
    token: led.operatorKey,
    body: { name: 'With docs elsewhere' },
  });
  expect([made.status, made.body.docs_url]).toEqual([201, site]);
  await led.stop();
});

test('each page is for everybody, loads nothing from elsewhere and runs the scripts of the build alone', async () => {
  expect(site().pages.length).toBeGreaterThan(100);
  for (const page of site().pages) {
    const reply = await get(page);
    expect([page, reply.status, reply.headers.get('content-type')]).toEqual([
      page,
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    const sources = policy.split(';').flatMap((rule) => rule.trim().split(/\s+/).slice(1));
    const ours = ["'none'", "'self'", "'unsafe-inline'", 'data:'];
    const others = sources.filter((source) => !ours.includes(source));
    expect(others.filter((source) => !/^'sha256-[\w+/]{43}='$/.test(source))).toEqual([]);
    expect(policy).not.toMatch(/script-src[^;]*(unsafe|data)/);
    expect(/style-src [^;]*unsafe/.test(policy)).toBe(references.includes(page));
    const html = await reply.text();
    for (const address of loadedBy(html)) expect(address, page).toMatch(/^(\/docs\/|#|data:)/);
    expect(html).toContain('<html lang="en-US"');
  }
});

test('every address that a page links to or loads is served, and what it points at is there', async () => {
  const targets = new Map<string, Set<string>>();
  const ids = new Map<string, Set<string>>();
  for (const page of site().pages) {
    const html = await textOf(page);
    ids.set(page, new Set([...html.matchAll(/\bid="([^"]*)"/g)].map(([, id = '']) => id)));
    for (const [, target = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const { origin, pathname, hash } = new URL(target, `${server.baseUrl}${page}`);
      if (origin !== server.baseUrl) continue;
      const known = targets.get(pathname) ?? new Set();
      targets.set(pathname, known.add(decodeURIComponent(hash.slice(1))));
    }
  }
  expect(targets.size).toBeGreaterThan(200);
  for (const [path, hashes] of targets) {
    if (!ids.has(path)) expect((await get(path)).status, path).toBe(200);
    const own = ids.get(path);
    const missing = [...hashes].filter((hash) => hash !== '' && own && !own.has(hash));
    expect([path, missing]).toEqual([path, []]);
  }
});

test('each page is also Markdown at its address and .md, and llms.txt names each', async () => {
  const index = await textOf('/docs/llms.txt');
  expect(index).toMatch(/^# Tenant Payments\n\n> \S/);
  const whole = await textOf('/docs/llms-full.txt');
  for (const page of site().pages) {
    const path = markdownOf(page);
    const reply = await get(path);
    expect([path, reply.headers.get('content-type')]).toEqual([
      path,
      'text/markdown; charset=utf-8',
    ]);
    expect(await reply.text()).toMatch(/^# \S/);
    expect(whole, path).toContain(`<!-- ${path} -->`);
  }
  for (const [, path = ''] of index.matchAll(/\]\(([^)]+)\)/g))
    expect((await get(path)).status, path).toBe(200);
  expect((await get('/llms.txt')).headers.get('location')).toBe('/docs/llms.txt');
});

test('every page is reached by the lists of the first page, of the rules and the errors', () => {
  const lists = ['', 'rules/', 'reference/', 'reference/errors', 'guide/journeys'];
  const listed = lists.flatMap((place) => {
    const text = built(place === '' || place.endsWith('/') ? `${place}index.md` : `${place}.md`);
    const links = [...text.matchAll(/\]\(([^)\s#]+\.md)/g)].map(([, link = '']) => link);
    return links.map((link) => new URL(link, `http://site/docs/${place}`).pathname);
  });
  const missing = site()
    .pages.map(markdownOf)
    .filter((path) => !listed.includes(path));
  expect(missing).toEqual(['/docs/index.md']);
});

test('the text of a guide is whole: headings, tables, lists and code, and none of its marks', async () => {
  const html = await textOf('/docs/guide/operating/settings');
  expect(html).toContain('<h2 id="a-tenants-settings"');
  expect(html).toMatch(/<td[^>]*><code>PORT<\/code><\/td>\s*<td[^>]*>8080<\/td>/);
  expect(await textOf('/docs/rules/refunds')).toMatch(/<li id="1"/);
  for (const page of site().pages) {
    const main = (await textOf(page)).split('<main')[1]?.split('</main>')[0] ?? '';
    const prose = main.replaceAll(/<(pre|code|svg)\b[^>]*>.*?<\/\1>/gs, '');
    expect(prose, page).not.toMatch(/^#|^\||```|\*\*|\]\(|&lt;!--/m);
  }
});

test('diagrams are drawn: none is left as text, and each is told in words', async () => {
  const html = await textOf('/docs/reference/states');
  const drawn = [
    ...html.matchAll(/<figure class="drawing" aria-label="States: (\w+)".*?<\/figure>/gs),
  ];
  expect(drawn.length).toBe(built('reference/states.md').match(/```mermaid/g)?.length);
  for (const [figure] of drawn) {
    expect(figure).toMatch(/<svg [^>]*aria-hidden="true"/);
    expect(figure).toMatch(/<ol class="drawing-words"><li><b>outside<\/b><ul><li>\w+/);
  }
  for (const page of site().pages)
    expect(await textOf(page), page).not.toContain('language-mermaid');
});

test('the first page has three doors of three links, the whole as a drawing, each surface in both schemes, and every page of its list', async () => {
  const html = await textOf('/docs/');
  const doors = [...html.matchAll(/<section class="front-door".*?<\/section>/gs)];
  expect(doors.map(([door]) => door.match(/<a href="\/docs\//g)?.length)).toEqual([3, 3, 3]);
  expect(html.match(/<figure class="drawing"/g)?.length).toBe(1);
  for (const scheme of ['light', 'dark'])
    expect(
      html.match(new RegExp(`<img src="/docs/[\\w/-]+\\.${scheme}\\.webp"`, 'g'))?.length,
    ).toBe(4);
  const linked = new Set([...html.matchAll(/ href="(\/docs\/[^"#]*)"/g)].map(([, to]) => to));
  const listed = [...built('index.md').matchAll(/^- \[[^\]]+\]\(\.?\/?(\S+?)\.md\)/gm)];
  expect(listed.length).toBeGreaterThan(50);
  for (const [, path = ''] of listed)
    expect(linked).toContain(`/docs/${path.replace(/(^|\/)index$/, '$1')}`);
});

test('the search has each operation of the Tenant API with its address in the reference', () => {
  const name = site().files.find((path) => /localSearchIndex/.test(path));
  const index = built(name ?? '');
  const { paths } = JSON.parse(built('reference/openapi.json'));
  for (const [path, operations] of Object.entries<object>(paths))
    for (const method of Object.keys(operations))
      expect(index).toContain(`/${method.toUpperCase()}${path}`);
});

test.each([
  ['/docs', '/docs/'],
  ['/docs/rules', '/docs/rules/'],
  ['/docs/rules/index.html', '/docs/rules/'],
  ['/docs/guide/quickstart.html', '/docs/guide/quickstart'],
  ['/docs/guide/quickstart/', '/docs/guide/quickstart'],
  ['/docs/guide/quickstart.txt', '/docs/guide/quickstart.md'],
  ['/docs/rules/README.md', '/docs/rules/index.md'],
  ['/docs/index.html', '/docs/'],
])('%s leads to %s', async (from, to) => {
  const reply = await get(from);
  expect([reply.status, reply.headers.get('location')]).toEqual([308, to]);
});

test.each([
  '/docs/guide/nothing',
  '/docs/guide/nothing.md',
  '/docs/guide/..%2f..%2fREADME.md',
  '/docs/%2e%2e/docs.json',
])('%s is not found, as a page for people and as JSON for programs', async (path) => {
  const reply = await get(path);
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ error: { code: 'not_found' } });
  const page = await get(path, { accept: 'text/html' });
  expect([page.status, page.headers.get('content-type')]).toEqual([
    404,
    path.startsWith('/docs/%2e') ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
  ]);
});

test('files that the build names by their content are kept for ever, pages are asked for anew', async () => {
  const asset = site().files.find((path) => /^assets\/app\.[\w-]+\.js$/.test(path));
  const kept = await get(`/docs/${asset}`);
  expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const page = await get('/docs/guide/quickstart');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const etag = page.headers.get('etag') ?? '';
  expect((await get('/docs/guide/quickstart', { 'if-none-match': etag })).status).toBe(304);
});

test('the first load of a guide brings at most 150 kB of JavaScript', async () => {
  const html = await textOf('/docs/guide/quickstart');
  const scripts = loadedBy(html).filter((address) => address.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(3);
  const bytes = scripts.map((path) => gzipSync(built(path.replace('/docs/', ''))).length);
  const sum = bytes.reduce((total, one) => total + one, 0);
  console.info(`first load of a guide: ${(sum / 1_000).toFixed(1)} kB of JavaScript`);
  expect(sum).toBeLessThan(150_000);
});

test('the portal that every Tenant is told of is a page, and so is each address below it', async () => {
  for (const path of ['/portal', '/portal/', '/portal/records/payments']) {
    const page = await fetch(`${server.baseUrl}${path}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="app"')]);
  }
  expect((await fetch(`${server.baseUrl}/portal/api/nothing`)).status).toBe(404);
});

test('the API reference is told to ask nobody, and its script cannot evaluate text', async () => {
  const name = site().files.find((path) => path.startsWith('assets/reference-')) ?? '';
  const script = await textOf(`/docs/${name}`);
  expect(script.length).toBeGreaterThan(1_000_000);
  expect(script).toContain('createApiReference');
  // The script has nothing that the policy would stop.
  expect(script).not.toMatch(/\beval\(|new Function\(|importScripts\(|new Worker\(|sendBeacon/);
  // Each setting of `api_reference.ts` that keeps it quiet is one that it reads.
  for (const word of ['agent?.disabled', 'mcp?.disabled', 'withDefaultFonts', 'hideClientButton'])
    expect(script).toContain(word);
});

test('a sandbox says the client id of its file, and none of the secrets', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'docs-where-'));
  const sandbox = await startTestServer({ workers: false, config: { dataDir } });
  const facts = { client_id: 'cl_sample', client_secret: 'cs_sample', webhook_secret: 'whsec_1' };
  writeFileSync(sandboxFile(dataDir), JSON.stringify(facts));
  const where = await (await fetch(`${sandbox.baseUrl}/docs/where.json`)).json();
  await sandbox.stop();
  rmSync(dataDir, { recursive: true });
  const { environment, publicUrl } = sandbox.service.config;
  expect(where).toEqual({ environment, base_url: publicUrl, client_id: facts.client_id });
});

test('a service says where it is, and the files alone say that none serves them', async () => {
  const { environment, publicUrl } = server.service.config;
  const where = await (await get('/docs/where.json')).json();
  expect(where).toEqual({ environment, base_url: publicUrl });
  expect(JSON.parse(built('where.json'))).toEqual({ environment: null });
  const files = readdirSync(join(root, 'dist/docs/reference'));
  for (const name of ['openapi.json', 'openapi.yaml', 'portal.openapi.json'])
    expect(files).toContain(name);
  expect(existsSync(join(root, 'dist/docs/404.html'))).toBe(true);
});
