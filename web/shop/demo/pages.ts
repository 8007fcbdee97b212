import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The page's shell and its files. */

/** Beside the bundle in `dist/`, or from the sources. */
const folders = ['./web/', '../../../dist/web/'];

async function built(name: string): Promise<Buffer> {
  for (const folder of folders) {
    const path = fileURLToPath(new URL(folder + name, import.meta.url));
    const file = await readFile(path).catch(() => null);
    if (file) return file;
  }
  throw Object.assign(new Error(`${name} is not built: npm run build`), { statusCode: 404 });
}

/** Scripts and styles of this site alone, frames of the hosted pages alone. */
const policy = (hostedOrigin: string): string =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:",
    `connect-src 'self'; frame-src ${hostedOrigin}`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; ');

const shell = ({
  script,
  style,
}: {
  script: string;
  style: string | null;
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Corner Shop</title>
<link rel="icon" href="data:,">
${style === null ? '' : `<link rel="stylesheet" href="/shop/assets/${style}">`}
<script type="module" src="/shop/assets/${script}"></script>
</head>
<body><div id="app"></div><noscript>This page needs JavaScript.</noscript></body>
</html>
`;

/** @param begin whatever the first visitor sets going */
export function servePages(
  app: FastifyInstance,
  hostedOrigin: string,
  begin: () => Promise<void>,
): void {
  const page = async (_: unknown, reply: FastifyReply) => {
    await begin();
    const { shop } = JSON.parse(String(await built('manifest.json')));
    return reply
      .headers({
        'content-security-policy': policy(hostedOrigin),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(shell(shop));
  };
  app.get('/shop', page);
  app.get('/shop/', page);
  app.get<{ Params: { name: string } }>(
    // The hashed name that the build gave it, and no path.
    '/shop/assets/:name(^[\\w-]+\\.(?:js|css)$)',
    async ({ params: { name } }, reply) =>
      reply
        .type(`text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
        .header('cache-control', 'max-age=3600')
        .send(await built(name)),
  );
}
