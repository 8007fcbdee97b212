import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Service } from '../../service.ts';
import { escaped } from '../docs/page.ts';
import { noSuchPath } from '../serve/errors.ts';
import { openTenantShells, type Shell } from './tenant_shells.ts';
import { readWebAssets, type WebAssets } from './web_assets.ts';

/**
 * The hosted pages (rules/hosted#1): one HTML frame for every flow, with the Tenant's name and
 * colour, which shows before any script has run. Tokens are in the fragment, which browsers do not
 * send; the Tenant is in the path, since its settings say which sites may frame the page.
 */

/** Only scripts and styles with this page's nonce run; the page calls no other server. */
const policyOf = (nonce: string, { frameOrigins }: Shell): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    // Without this a script could create a policy that lets everything through.
    "trusted-types 'none'",
    `frame-ancestors ${frameOrigins.length > 0 ? frameOrigins.join(' ') : "'none'"}`,
  ].join('; ');

const permissions =
  'camera=(), microphone=(), geolocation=(), payment=(), publickey-credentials-get=*, publickey-credentials-create=(self)';

interface Page {
  readonly nonce: string;
  readonly environment: string;
  readonly shell: Shell;
  readonly assets: WebAssets['manifest']['flows'];
}

function html({ nonce, environment, shell, assets }: Page): string {
  const { name, primary_color } = shell.branding;
  const style =
    assets.style === null
      ? ''
      : `<link rel="stylesheet" nonce="${nonce}" href="/hosted/assets/${assets.style}">`;
  // It takes its space from the first paint on; the page translates it.
  const ribbon =
    environment === 'sandbox' ? '<p class="ribbon">Sandbox: no real money moves</p>' : '';
  return `<!doctype html>
<html lang="en" data-environment="${environment}" data-frame-origins="${escaped(shell.frameOrigins.join(' '))}" data-tenant-name="${escaped(name)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escaped(name)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">:root{--brand:${primary_color}}</style>
${style}
<script type="module" nonce="${nonce}" src="/hosted/assets/${assets.script}"></script>
</head>
<body>
<div id="app"><div class="page"><div class="card"><header>${ribbon}<div class="bar"><p class="tenant">${escaped(name)}</p></div></header><main aria-busy="true"><p class="waiting" role="status">…</p></main></div></div></div>
<noscript><p class="notice">This page needs JavaScript.</p></noscript>
</body>
</html>
`;
}

/** A version of the SDK's script from its bytes: after an upgrade the address changes. */
const versionOf = ({ integrity }: WebAssets['manifest']['sdk']): string =>
  Buffer.from(integrity.replace(/^sha384-/, ''), 'base64')
    .toString('hex')
    .slice(0, 16);

/** During an upgrade a request for one version may reach another; such a reply is not cached. */
function cachingOf(requested: string | undefined, version: string): string {
  if (requested === undefined) return 'public, max-age=300';
  return requested === version ? 'public, max-age=31536000, immutable' : 'no-store';
}

/** `/hosted/*` and `/sdk/*`: pages, their files, and the browser SDK as a script. */
export function serveHostedPages(app: FastifyInstance, { db, environment }: Service): void {
  let reading: Promise<WebAssets> | null = null;
  const assetsOf = () => {
    reading ??= readWebAssets();
    return reading;
  };

  const shellOf = openTenantShells(db);

  async function page(reply: FastifyReply, hex: string) {
    const nonce = randomBytes(16).toString('base64');
    const [shell, { manifest }] = await Promise.all([shellOf(hex), assetsOf()]);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policyOf(nonce, shell))
      .header('permissions-policy', permissions)
      .header('cross-origin-resource-policy', 'same-origin')
      .send(html({ nonce, environment, shell, assets: manifest.flows }));
  }

  type OfTenant = { Params: { tenant: string } };
  app.get('/hosted', (_request, reply) => page(reply, ''));
  for (const path of ['', '/owner', '/bank'])
    app.get<OfTenant>(`/hosted/:tenant${path}`, ({ params }, reply) => {
      // The pages' JSON has no page among its paths (rules/hosted#4).
      if (params.tenant === 'api') throw noSuchPath();
      return page(reply, params.tenant);
    });

  app.get<{ Params: { file: string } }>('/hosted/assets/:file', async ({ params }, reply) => {
    const { files } = await assetsOf();
    const file = files.get(params.file);
    if (!file) throw noSuchPath();
    const type = params.file.endsWith('.css') ? 'text/css' : 'text/javascript';
    return reply
      .header('content-type', `${type}; charset=utf-8`)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'same-origin')
      .send(file);
  });

  // For every site: the script has no secret, and the integrity hash of its tag pins its bytes.
  app.get<{ Querystring: { v?: string } }>('/sdk/v1.js', async ({ query }, reply) => {
    const { manifest, files } = await assetsOf();
    return reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', cachingOf(query.v, versionOf(manifest.sdk)))
      .send(files.get(manifest.sdk.script));
  });
  app.get('/sdk/v1.json', async () => {
    const { sdk } = (await assetsOf()).manifest;
    const src = `/sdk/v1.js?v=${versionOf(sdk)}`;
    return { src, integrity: sdk.integrity, crossorigin: 'anonymous' };
  });
}
