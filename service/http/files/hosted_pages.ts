import type { FastifyInstance, FastifyReply } from 'fastify';
import { widgetFor } from '../../config/adapters.ts';
import type { Service } from '../../service.ts';
import { logoFile } from '../../tenants/logos/logos.ts';
import { noSuchPath } from '../serve/errors.ts';
import { openPacked } from './packed.ts';
import { sendFraming, sendPage } from './page_frame.ts';
import { openTenantShells, tenantIn } from './tenant_shells.ts';
import type { WebAssets } from './web_assets.ts';

/**
 * The hosted pages (rules/hosted#1): one frame for every flow, with the Tenant's name and color. Tokens
 * are in the fragment, which browsers do not send; the Tenant is in the path, since its settings say which
 * sites may frame the page.
 */

const versionForm = /^[0-9a-f]{16}$/;
const fileForm = /^[\w-]{1,100}\.(?:js|css|woff2)$/;
const forGood = 'public, max-age=31536000, immutable';

function typeOf(name: string): string {
  if (name.endsWith('.woff2')) return 'font/woff2';
  return `${name.endsWith('.css') ? 'text/css' : 'text/javascript'}; charset=utf-8`;
}

/** The scripts, styles and fonts of all pages. */
function serveFiles(app: FastifyInstance, assets: WebAssets): void {
  const sendPacked = openPacked();
  async function sendFile(reply: FastifyReply, name: string) {
    const file = fileForm.test(name) ? await assets.file(name) : null;
    if (!file) throw noSuchPath();
    reply.header('content-type', typeOf(name)).header('cache-control', forGood);
    // A font is packed already.
    return name.endsWith('.woff2') ? reply.send(file) : sendPacked(reply, name, file);
  }
  type OfFile = { Params: { file: string } };
  app.get<OfFile>('/hosted/assets/:file', ({ params }, reply) =>
    sendFile(reply.header('cross-origin-resource-policy', 'same-origin'), params.file),
  );
  // The same files for the preview, whose sandboxed frame has no origin. They hold no secret.
  app.get<OfFile>('/hosted/preview/:file', ({ params }, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('cross-origin-resource-policy', 'cross-origin');
    return sendFile(reply, params.file);
  });
}

/** A hosted page with sample data: what it shows is in the fragment, and only the portal may frame it. */
function servePreview(
  app: FastifyInstance,
  { environment }: Pick<Service, 'environment'>,
  pages: WebAssets,
): void {
  app.get('/hosted/preview', async (_request, reply) =>
    sendPage(reply, {
      environment,
      name: 'Preview',
      color: '#1f5eff',
      assets: await pages.of('flows'),
      frameOrigins: ["'self'"],
      data: { preview: '' },
      waiting: 'card',
      passkeyUse: '(self)',
      filesAt: '/hosted/preview',
      isStill: true,
    }),
  );
}

/** A logo is a picture for everybody, and its address changes with its bytes (rules/hosted#43). */
function serveLogos(app: FastifyInstance, db: Service['db']): void {
  type OfLogo = { Params: { tenant: string; file: string } };
  app.get<OfLogo>('/hosted/:tenant/logo/:file', async ({ params }, reply) => {
    const tenantId = tenantIn(params.tenant);
    const hash = /^([0-9a-f]{64})\.png$/.exec(params.file)?.[1];
    const file = tenantId && hash ? await logoFile(db, tenantId, hash) : null;
    if (file === null) throw noSuchPath();
    return reply
      .header('content-type', 'image/png')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', forGood)
      .send(file);
  });
}

/**
 * The browser SDK, for every site: it has no secret, and the integrity hash of its tag pins its bytes. A version
 * that no release has is answered with this one's, and is not cached.
 */
function serveSdk(app: FastifyInstance, assets: WebAssets): void {
  async function scriptOf(asked: string | undefined) {
    const { script, version } = await assets.sdk();
    const isOther = asked !== undefined && asked !== version;
    const other = isOther && versionForm.test(asked) ? await assets.file(`sdk-${asked}.js`) : null;
    const caching = asked === undefined ? 'public, max-age=300' : forGood;
    return other || !isOther
      ? { file: other ?? (await assets.file(script)), caching }
      : { file: await assets.file(script), caching: 'no-store' };
  }
  app.get<{ Querystring: { v?: string } }>('/sdk/v1.js', async ({ query }, reply) => {
    const { file, caching } = await scriptOf(query.v);
    return reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', caching)
      .send(file);
  });
  app.get('/sdk/v1.json', async () => {
    const { version, integrity } = await assets.sdk();
    return { src: `/sdk/v1.js?v=${version}`, integrity, crossorigin: 'anonymous' };
  });
}

/** `/hosted/*` and `/sdk/*`: pages, their files, and the browser SDK as a script. */
export function serveHostedPages(
  app: FastifyInstance,
  service: Pick<Service, 'db' | 'environment' | 'config'>,
  pages: WebAssets,
): void {
  const { db, environment, config } = service;
  /** Pages of providers' own widgets, by their paths. */
  const widgets = new Map([
    ['/bank', widgetFor(config.adapters, 'aggregator')],
    ['/identity', widgetFor(config.adapters, 'identity')],
  ]);
  const shellOf = openTenantShells(db);

  async function page(reply: FastifyReply, hex: string, path = '') {
    const widget = widgets.get(path);
    const [{ branding, logo, frameOrigins }, assets] = await Promise.all([
      shellOf(hex),
      pages.of('flows'),
    ]);
    return sendPage(reply, {
      environment,
      name: branding.name,
      color: branding.primary_color,
      logo,
      assets,
      frameOrigins,
      data: {
        'frame-origins': frameOrigins.join(' '),
        'tenant-name': branding.name,
        ...(logo === null ? {} : { logo }),
        ...(widget && { widget: widget.name }),
      },
      waiting: 'card',
      framedByOthers: true,
      widget,
      ...(widget && path === '/identity' && { camera: widget.frame }),
      passkeyUse: '*',
    });
  }

  type OfTenant = { Params: { tenant: string } };
  app.get('/hosted', (_request, reply) => page(reply, ''));
  for (const path of ['', '/owner', '/bank', ...(widgets.get('/identity') ? ['/identity'] : [])])
    app.get<OfTenant>(`/hosted/:tenant${path}`, ({ params }, reply) => {
      // The pages' JSON has no page among its paths (rules/hosted#4).
      if (params.tenant === 'api') throw noSuchPath();
      return page(reply, params.tenant, path);
    });
  app.get<OfTenant & { Querystring: { origin?: string } }>(
    '/hosted/:tenant/framing',
    async ({ params, query }, reply) => {
      const { frameOrigins } = await shellOf(params.tenant);
      return sendFraming(reply, frameOrigins.includes(query.origin ?? ''));
    },
  );
  serveLogos(app, db);
  servePreview(app, service, pages);
  serveFiles(app, pages);
  serveSdk(app, pages);
}
