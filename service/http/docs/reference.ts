import Fastify from 'fastify';
import { escaped } from './page.ts';

/** A document that the reference shows. */
export interface Reference {
  readonly title: string;
  /** Where the document is served. */
  readonly url: string;
}

/**
 * What the page is told: the document, and that it asks nobody. Its assistant, its deploy and
 * registry links, its fonts, its proxy and its telemetry are off; the page's policy forbids them as
 * well.
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

/** The script that starts the page. A file of its own, so that the policy allows no inline script. */
export const startScript = (reference: Reference): string =>
  `Scalar.createApiReference('#reference', ${JSON.stringify(configurationOf(reference))});\n`;

/** The reference renders inline styles, which no nonce can allow; scripts are ours alone. */
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

/** @param start the path of the script that starts it */
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
 * The script of the reference, as its package serves it. The package weighs 4 MB and says so only to
 * a Fastify of its own, so it is asked when somebody first opens the page.
 */
export async function referenceScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(plugin, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { rawPayload, statusCode } = await app.inject('/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error('the API reference has no script');
  return rawPayload;
}
