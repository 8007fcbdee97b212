import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The page and its files, as `npm run build` makes them in `dist`. */

/** Scripts and styles from this site only, frames from the hosted pages only. */
const policy = (hostedOrigin: string): string =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'; frame-src ${hostedOrigin}`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; ');

/** An awning over a door. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1b5e45"/><path d="M8 16v9h16v-9M13.5 25v-6h5v6M6 14l2.5-7h15L26 14a3.3 3.3 0 01-6.6 0 3.3 3.3 0 01-6.7 0A3.3 3.3 0 016 14z" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/></svg>',
)}`;

const shell = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Corner Shop</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="/shop/assets/page.css">
<script type="module" src="/shop/assets/page.js"></script>
</head>
<body><div id="app"></div><noscript>This page needs JavaScript.</noscript></body>
</html>
`;

const types = {
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'inter-latin-wght-normal.woff2': 'font/woff2',
  'inter-latin-ext-wght-normal.woff2': 'font/woff2',
} as const;

/** A font stays as it is, and must not be asked for while the page is drawn. */
const keptFor = (type: string) => (type === 'font/woff2' ? 'max-age=604800' : 'no-cache');

/**
 * @param folder of the shop; its `dist` holds the page
 * @param begin is called by each visit of the page, before it is answered
 */
export function servePages(
  app: FastifyInstance,
  { folder, hostedOrigin }: { readonly folder: URL; readonly hostedOrigin: string },
  begin: () => Promise<void>,
): void {
  const page = async (_: unknown, reply: FastifyReply) => {
    await begin();
    return reply
      .headers({
        'content-security-policy': policy(hostedOrigin),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(shell);
  };
  app.get('/shop', page);
  app.get('/shop/', page);
  for (const [name, type] of Object.entries(types))
    app.get(`/shop/assets/${name}`, async (_, reply) => {
      const file = await readFile(new URL(`dist/${name}`, folder)).catch(() => {
        throw Object.assign(new Error(`${name} is not built: npm run build`), { statusCode: 404 });
      });
      return reply.type(type).header('cache-control', keptFor(type)).send(file);
    });
}
