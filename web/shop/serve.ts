import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Handler } from './state.ts';

/** What a page needs of any server: its shell, its files, and bodies within bounds. */

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const maximumBytes = 256 * 1024;

/** The first of the places that can be read: beside the bundle in `dist/`, or from the sources. */
async function readFirst(paths: readonly string[]): Promise<Buffer> {
  for (const path of paths) {
    const text = await readFile(here(path)).catch(() => null);
    if (text) return text;
  }
  throw new Error(`the pages are not built: npm run build (no ${paths[0]})`);
}

const built = (name: string) => readFirst([`./web/${name}`, `../../dist/web/${name}`]);

/** A script or a style by the hashed name that the build gave it; null: no such file. */
export async function asset(name: string): Promise<Buffer | null> {
  if (!/^[\w-]+\.(js|css)$/.test(name)) return null;
  return built(name).catch(() => null);
}

/** The page's shell: scripts and styles of this site alone, frames of the hosted pages alone. */
export async function page(response: ServerResponse, hostedOrigin: string): Promise<void> {
  const { shop } = JSON.parse((await built('manifest.json')).toString()) as {
    shop: { script: string; style: string | null };
  };
  const policy = [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:",
    `connect-src 'self'; frame-src ${hostedOrigin}`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ];
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Corner Shop</title>
<link rel="icon" href="data:,">
${shop.style === null ? '' : `<link rel="stylesheet" href="/shop/assets/${shop.style}">`}
<script type="module" src="/shop/assets/${shop.script}"></script>
</head>
<body><div id="app"></div><noscript>This page needs JavaScript.</noscript></body>
</html>
`);
}

/** @throws RangeError when more comes than a page or an event ever sends */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maximumBytes) throw new RangeError('the body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const file = 'web/shop/webhooks.ts';
let lines: readonly string[] | null = null;

function sourceLines(): readonly string[] {
  if (lines) return lines;
  for (const path of ['./webhooks.ts', '../web/shop/webhooks.ts'])
    try {
      lines = readFileSync(here(path), 'utf8').split('\n');
      return lines;
    } catch {
      // Built, it stands elsewhere than as a source.
    }
  lines = [];
  return lines;
}

/** From its first line to the one that closes it. */
function blockAt(all: readonly string[], at: number): Handler {
  const indent = /^ */.exec(all[at] ?? '')?.[0] ?? '';
  const isOpen = /[{(]$/.test(all[at] ?? '');
  const end = isOpen ? all.findIndex((text, i) => i > at && text.startsWith(`${indent}}`)) : at;
  const text = all.slice(at, end + 1).map((line) => line.slice(indent.length));
  return { file, line: at + 1, text: text.join('\n') };
}

/** Where the handler of an event type stands in the source; null where it has none. */
export function sourceOf(type: string): Handler | null {
  const all = sourceLines();
  const entry = all.findIndex((text) => text.trimStart().startsWith(`'${type}':`));
  if (entry < 0) return null;
  const name = /: (\w+),$/.exec(all[entry] ?? '')?.[1];
  const named = all.findIndex((text) => text.startsWith(`function ${name}(`));
  return blockAt(all, named < 0 ? entry : named);
}
