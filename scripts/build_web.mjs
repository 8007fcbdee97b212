import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { buildPage } from '../examples/corner-shop/build.mjs';

/** What browsers load: file names contain a hash, so that they can be cached for ever. */
const shared = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  // Passkeys and `dialog` need these versions.
  target: ['chrome109', 'firefox115', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
};

/** What developers and staff work in. */
const application = {
  jsxImportSource: 'react',
  define: { 'process.env.NODE_ENV': '"production"' },
  // With layers and nesting, which Mantine's styles need.
  target: ['chrome120', 'firefox121', 'safari17.2'],
};

/** What customers and whoever signs in open is small, so with Preact, and asked for at once. */
const pages = {
  flows: { entry: 'web/flows/main.tsx' },
  sign_in: { entry: 'web/sign_in/main.tsx' },
  portal: { entry: 'web/portal/main.tsx', options: application },
  console: { entry: 'web/console/main.tsx', options: application },
};

/**
 * The script and the style that the service refers to. Each of `pages` is built by itself: a script that two
 * of them shared would be one more request of both.
 */
async function buildPages(root, out, name) {
  const { entry, options } = pages[name];
  const { metafile } = await build({
    ...shared,
    ...options,
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
  return [name, { script: basename(script), style: cssBundle ? basename(cssBundle) : null }];
}

/** The SDK as a script for a page, with its integrity hash. */
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
 * Builds the pages and the browser script into `dist/web`, with a `manifest.json` that names
 * them, and the example shop's page. The old `dist/web` stays until the new one is complete.
 */
export async function buildWeb({ root }) {
  const to = join(root, 'dist/web');
  const out = `${to}-${process.pid}`;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const [sdk, files] = await Promise.all([
    buildScript(root, out),
    Promise.all(Object.keys(pages).map((name) => buildPages(root, out, name))),
    buildPage(),
  ]);
  const manifest = { ...Object.fromEntries(files), sdk };
  writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  rmSync(to, { recursive: true, force: true });
  renameSync(out, to);
}
