import { readFile } from 'node:fs/promises';
import { once } from '@tenant-payments/engine/once.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../../service.ts';
import { sandboxFile } from '../../tenants/files.ts';
import type { KeptFiles } from '../files/kept_files.ts';
import { openPacked } from '../files/packed.ts';
import { noSuchPath } from '../serve/errors.ts';
import { etagOf, readSite, type Site, type SiteFile } from './site.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
};

/** Pictures and fonts, which gain nothing by it. */
const packedAlready = new Set(['png', 'webp', 'woff2']);

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The form of file names that the build makes of their content: `assets/chunks/theme.Dx0Yk2_a.js`. */
const assetForm = /^assets\/(?:chunks\/)?[\w@.-]{1,150}\.(?:js|css|woff2)$/;

/** The pages of the API reference, which writes styles of its own (rules/docs-site#6). */
const references = new Set(['api.html', 'portal-api.html']);

/** Only our own scripts and the hashed ones that stand in the page; it calls no other server. */
const policyOf = (path: string, scripts: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    `style-src 'self'${references.has(path) ? " 'unsafe-inline'" : ''}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The build names these by their content. */
const cachingOf = (path: string): string =>
  path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

/** The target of an address of an earlier release, or with a slash too many or too few; null: none. */
export function movedTo(path: string, has: Site['has']): string | null {
  const candidates: readonly (readonly [string, string])[] = [
    [`${path}/index.html`, `${path}/`],
    [path.replace(/\/$/, '.html'), path.replace(/\/$/, '')],
    [path.replace(/(^|\/)index(\.html)?$/, '$1index.html'), path.replace(/index(\.html)?$/, '')],
    [path.replace(/\.html$/, '.html'), path.replace(/\.html$/, '')],
    [path.replace(/(^|\/)README\.md$/, '$1index.md'), path.replace(/README\.md$/, 'index.md')],
    [path.replace(/\.txt$/, '.md'), path.replace(/\.txt$/, '.md')],
  ];
  return candidates.find(([file, to]) => to !== path && has(file))?.[1] ?? null;
}

/** The file of an address: `rules/` → `rules/index.html`, `rules/refunds` → `rules/refunds.html`. */
function fileAt(path: string, has: Site['has']): string | null {
  if (path === '' || path.endsWith('/')) return `${path}index.html`;
  if (extensionOf(path) === 'html') return null;
  return has(path) ? path : `${path}.html`;
}

const wantsPage = ({ headers }: FastifyRequest): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '');

/** The client id of the Tenant that a sandbox brings; its secret stays in the file (rules/docs-site#10). */
async function sampleClientId(dataDir: string): Promise<string | undefined> {
  try {
    const { client_id } = JSON.parse(await readFile(sandboxFile(dataDir), 'utf8'));
    return typeof client_id === 'string' ? client_id : undefined;
  } catch {
    return undefined;
  }
}

/** Leads to the documentation at another address, which may change: no browser keeps it. */
function leadTo(app: FastifyInstance, site: string): void {
  const lead = async (request: FastifyRequest, reply: FastifyReply) =>
    reply.redirect(new URL(`${site}${request.url.replace(/^\/docs/, '')}`).href, 307);
  for (const path of ['/docs', '/docs/*', '/llms.txt']) app.get(path, lead);
}

/** `/docs/*`: the documentation here, elsewhere or not at all (rules/docs-site#11). */
export function serveDocs(
  app: FastifyInstance,
  service: Pick<Service, 'environment' | 'config'>,
  files: Pick<KeptFiles, 'find' | 'keeping'>,
): void {
  const { docs } = service.config;
  if (docs === 'on') serveBuilt(app, service, files);
  else if (docs !== 'off') leadTo(app, docs);
}

/** The documentation as the build wrote it, public (rules/docs-site#1). */
function serveBuilt(
  app: FastifyInstance,
  { environment, config }: Pick<Service, 'environment' | 'config'>,
  { find, keeping }: Pick<KeptFiles, 'find' | 'keeping'>,
): void {
  const sendPacked = openPacked();
  const siteOf = once(readSite);
  const keep = keeping(async () => (await siteOf()).assets());

  /** A script or style of another release (rules/hosted#50). */
  async function ofOtherRelease(path: string): Promise<SiteFile | null> {
    const content = assetForm.test(path) ? await find(path) : null;
    return content && { path, content, etag: etagOf(content) };
  }

  function send(reply: FastifyReply, { path, content, etag }: SiteFile, site: Site) {
    const extension = extensionOf(path);
    reply
      .header('content-type', types[extension] ?? 'application/octet-stream')
      .header('cache-control', cachingOf(path))
      .header('cross-origin-resource-policy', 'same-origin')
      .header('etag', etag);
    // Nobody waits: there are hundreds of files, and a page can be read without them.
    if (extension === 'html') void keep();
    if (extension === 'html')
      reply
        .header('content-security-policy', policyOf(path, site.scripts))
        .header('cross-origin-opener-policy', 'same-origin');
    if (reply.request.headers['if-none-match'] === etag) return reply.code(304).send();
    return packedAlready.has(extension) ? reply.send(content) : sendPacked(reply, etag, content);
  }

  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 308));
  app.get('/llms.txt', async (_request, reply) => reply.redirect('/docs/llms.txt', 308));
  // The files of a static host say here that no service is behind them.
  app.get('/docs/where.json', async (_request, reply) => {
    const client_id = environment === 'sandbox' ? await sampleClientId(config.dataDir) : undefined;
    const where = { environment, base_url: config.publicUrl, client_id };
    return reply.header('content-type', types.json).send(JSON.stringify(where));
  });
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const path = request.params['*'];
    const site = await siteOf();
    const found = (await site.read(fileAt(path, site.has) ?? '')) ?? (await ofOtherRelease(path));
    if (found) return send(reply, found, site);
    const to = movedTo(path, site.has);
    if (to !== null) return reply.redirect(`/docs/${to}`, 308);
    const missing = wantsPage(request) ? await site.read('404.html') : null;
    if (missing) return send(reply.code(404), missing, site);
    throw noSuchPath();
  });
}
