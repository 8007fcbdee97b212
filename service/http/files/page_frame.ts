import { randomBytes } from 'node:crypto';
import { iconOf } from '@tenant-payments/contract/core/mark.ts';
import type { FastifyReply } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { Service } from '../../service.ts';
import { escaped } from './escaped.ts';
import type { PageAssets } from './web_assets.ts';

type Widget = NonNullable<Config['adapters'][number]['widget']>;

/** One HTML frame for all pages with scripts, which shows before any of them has run. */
export interface PageFrame {
  readonly environment: Service['environment'];
  /** The title, and what stands above the page. */
  readonly name: string;
  /** The color as CSS takes it. */
  readonly color: string;
  /** The path of the Tenant's logo on this server; absent or null: none. */
  readonly logo?: string | null;
  readonly assets: PageAssets;
  /** The sites that may frame it. */
  readonly frameOrigins: readonly string[];
  /** Further `data-` attributes of the document. */
  readonly data?: Readonly<Record<string, string>>;
  /** The policies that its script may create; absent: none. */
  readonly trustedTypes?: 'default';
  /** The placeholder that shows before the script has run. */
  readonly waiting: 'card' | 'page';
  /** The origin of the files; absent: where pages of this origin load them from. */
  readonly filesAt?: string;
  /** Whether it asks this server for nothing more, and no page of its own may be framed in it. */
  readonly isStill?: true;
  /** Pages of other sites frame it, also such as take in only what allows it. */
  readonly framedByOthers?: true;
  /** Whether it may frame pages of ours. */
  readonly framesOwn?: true;
  /** The script of somebody else that it opens; absent: none. */
  readonly widget?: Widget | undefined;
  /** The origin whose frame may use the camera and the microphone; absent: nobody may. */
  readonly camera?: string;
  /** The frames in which passkeys of ours may be used. */
  readonly passkeyUse: '*' | '(self)';
}

/** Only scripts and styles with this page's nonce run; the page calls no other server. */
const policyOf = (nonce: string, { widget, ...page }: PageFrame): string =>
  widget ? policyWith(widget, nonce, page) : ownPolicy(nonce, page);

const framedBy = (origins: readonly string[]): string =>
  `frame-ancestors ${origins.length > 0 ? origins.join(' ') : "'none'"}`;

/** The same with the hosts of a widget, which knows nothing of Trusted Types, and lays out its frame by attributes. */
const policyWith = (
  { script, frame, connect }: Widget,
  nonce: string,
  { frameOrigins }: Pick<PageFrame, 'frameOrigins'>,
): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'self' ${new URL(script).origin}`,
    `style-src 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${connect}`,
    `frame-src ${frame}`,
    "base-uri 'none'",
    "form-action 'none'",
    framedBy(frameOrigins),
  ].join('; ');

const ownPolicy = (
  nonce: string,
  { frameOrigins, trustedTypes, isStill, framesOwn }: PageFrame,
): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${isStill ? "'none'" : "'self'"}`,
    ...(framesOwn ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    // Without this a script could create a policy that lets everything through.
    `trusted-types ${trustedTypes ?? "'none'"}`,
    framedBy(frameOrigins),
  ].join('; ');

const permissionsOf = ({
  passkeyUse,
  camera,
}: Pick<PageFrame, 'passkeyUse' | 'camera'>): string => {
  const used = camera ? `(self "${camera}")` : '()';
  return `camera=${used}, microphone=${used}, geolocation=(), payment=(), publickey-credentials-get=${passkeyUse}, publickey-credentials-create=(self)`;
};

/** The mark of security, as the script draws it, which translates it. */
const secure =
  '<p class="secure"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><rect x="5" y="10.5" width="14" height="9.5" rx="2"/><path d="M8 10.5V8a4 4 0 018 0v2.5"/></svg>Secure payment</p>';

const plain = '<main aria-busy="true"><p class="waiting" role="status">…</p></main>';

function html(
  nonce: string,
  { environment, name, color, logo, assets, data = {}, waiting, filesAt, widget }: PageFrame,
): string {
  const { script, style, starter, font } = assets;
  const title = escaped(name);
  const attributes = Object.entries({ environment, ...data }).map(
    ([key, value]) => ` data-${key}="${escaped(value)}"`,
  );
  const at = filesAt ?? '/hosted/assets';
  // From a page without an origin the sheet's rules can be read only so.
  const mode = filesAt === undefined ? '' : ' crossorigin="anonymous"';
  const sheet =
    style === null ? '' : `<link rel="stylesheet"${mode} nonce="${nonce}" href="${at}/${style}">`;
  const picture = logo ? `<img class="logo" src="${logo}" alt="">` : '';
  const foreign = widget
    ? `<script async nonce="${nonce}" data-widget="${widget.name}" src="${widget.script}"></script>\n`
    : '';
  // The ribbon takes its space from the first paint on; the page translates it.
  const ribbon =
    environment === 'sandbox' ? '<p class="ribbon">Sandbox: no real money moves</p>' : '';
  const card = `<div class="page"><div class="card"><header>${ribbon}<div class="bar">${picture}<div class="whose"><p class="tenant">${title}</p>${secure}</div></div></header>${plain}</div></div>`;
  return `<!doctype html>
<html lang="en"${attributes.join('')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${iconOf(environment)}">
<link rel="preload" as="font" type="font/woff2" href="${at}/${font}" crossorigin>
<style nonce="${nonce}">:root{--brand:${color}}</style>
<script nonce="${nonce}">${starter}</script>
${sheet}
<script type="module" nonce="${nonce}" src="${at}/${script}"></script>
${foreign}</head>
<body>
<div id="app">${waiting === 'card' ? card : plain}</div>
<noscript><p class="notice">This page needs JavaScript.</p></noscript>
</body>
</html>
`;
}

/** A page under `Cross-Origin-Embedder-Policy: require-corp` frames only what has the same policy, and allows it. */
const framable = {
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-embedder-policy': 'require-corp',
} as const;

/** The headers of a page with a widget, whose files say nothing of such policies. */
const framableWithWidget = { 'cross-origin-resource-policy': 'cross-origin' } as const;

const isolationOf = ({ framedByOthers, widget }: PageFrame) =>
  widget
    ? framableWithWidget
    : framedByOthers
      ? framable
      : { 'cross-origin-resource-policy': 'same-origin' };

/** Sends a page with a nonce of its own. */
export function sendPage(reply: FastifyReply, frame: PageFrame): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policyOf(nonce, frame))
    .header('permissions-policy', permissionsOf(frame))
    .headers(isolationOf(frame))
    .send(html(nonce, frame));
}

/**
 * Tells the page around it whether it may frame the Tenant's pages: the browser SDK asks so why a frame stays empty. The
 * policy of those pages says the same to everybody.
 */
export function sendFraming(reply: FastifyReply, allowed: boolean): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors *`,
    )
    .headers(framable)
    .send(
      `<!doctype html><script nonce="${nonce}">parent.postMessage({allowed:${allowed}},'*')</script>`,
    );
}
