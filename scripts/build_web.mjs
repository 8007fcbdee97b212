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

/** The hosted pages: the script and the style that the service refers to. */
async function buildFlows(root, out) {
  const entry = 'web/flows/main.tsx';
  const { metafile } = await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: { flows: entry },
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
 * Builds the hosted pages and the browser script into `dist/web`, with a `manifest.json` that names
 * them, and the example shop's page. The old `dist/web` stays until the new one is complete.
 */
export async function buildWeb({ root }) {
  const to = join(root, 'dist/web');
  const out = `${to}-${process.pid}`;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const [flows, sdk] = await Promise.all([
    buildFlows(root, out),
    buildScript(root, out),
    buildPage(),
  ]);
  const manifest = { flows, sdk };
  writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  rmSync(to, { recursive: true, force: true });
  renameSync(out, to);
}
