import Fastify from 'fastify';
import { escaped } from './page.ts';

/** An OpenAPI document that the reference shows. */
export interface Reference {
  readonly title: string;
  /** Where the document is served. */
  readonly url: string;
}

/**
 * The configuration of the page: it calls no other server. Its assistant, its deploy and registry
 * links, its fonts, its proxy and its telemetry are off; the page's policy forbids them as well.
 */
const configurationOf = ({ title, url }: Reference) => ({
  title,
  url,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  telemetry: false,
  persistAuth: false,
  withDefaultFonts: false,
  proxyUrl: '',
  defaultOpenAllTags: false,
  theme: 'default',
});

/** The script that starts the page: a separate file, so that the policy allows no inline script. */
export const startScript = (reference: Reference): string =>
  `Scalar.createApiReference('#reference', ${JSON.stringify(configurationOf(reference))});\n`;

/** The reference renders inline styles, which no nonce can allow; scripts come from here only. */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param start the path of its start script */
export const referencePage = ({ title, url }: Reference, start: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Tenant Payments</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript><p>The reference needs JavaScript. The same as text: <a href="${escaped(url)}">${escaped(url)}</a>, and the <a href="/docs">documentation</a>.</p></noscript>
<div id="reference"></div>
<script src="/docs/assets/reference.js"></script>
<script src="${escaped(start)}"></script>
</body>
</html>
`;

/**
 * The script of the reference (4 MB), read when the page is first opened. Its package gives it only
 * as a Fastify plugin, so a separate instance loads it.
 */
export async function referenceScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(plugin, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { rawPayload, statusCode } = await app.inject('/js/scalar.js');
  await app.close();
  if (statusCode !== 200)
    throw new Error('@scalar/fastify-api-reference serves no /js/scalar.js; check its version');
  return rawPayload;
}
