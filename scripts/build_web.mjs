import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** What browsers are sent: its names hold its hash, so that it may be kept for ever. */
const shared = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  // Passkeys and `dialog` need no less.
  target: ['chrome109', 'firefox115', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
};

/** The pages, by the name under which the service asks for them. */
const pages = { flows: 'web/flows/main.tsx', shop: 'web/shop/page/main.tsx' };

async function buildPage(root, out, name, entry) {
  const { metafile } = await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: { [name]: entry },
    outdir: out,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    metafile: true,
  });
  const [script, { cssBundle }] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === entry,
  );
  return { script: basename(script), style: cssBundle ? basename(cssBundle) : null };
}

/** The SDK as a script that a page loads by its address, with the hash that holds it to its bytes. */
async function buildScript(root, out) {
  const path = join(out, 'sdk.js');
  await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: ['sdk/browser/script.ts'],
    outfile: path,
    format: 'iife',
  });
  const hash = createHash('sha384').update(readFileSync(path)).digest('base64');
  return { script: 'sdk.js', integrity: `sha384-${hash}` };
}

/**
 * Builds everything under `dist/web`, with `manifest.json` that names it. What was there stays until
 * the new is whole.
 */
export async function buildWeb({ root }) {
  const to = join(root, 'dist/web');
  const out = `${to}-${process.pid}`;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const built = await Promise.all(
    Object.entries(pages).map(async ([name, entry]) => [
      name,
      await buildPage(root, out, name, entry),
    ]),
  );
  const manifest = { ...Object.fromEntries(built), sdk: await buildScript(root, out) };
  writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  rmSync(to, { recursive: true, force: true });
  renameSync(out, to);
}
