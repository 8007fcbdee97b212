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

/** What customers and whoever signs in open: small, so with Preact. */
const pages = {
  entries: { flows: 'web/flows/main.tsx', sign_in: 'web/sign_in/main.tsx' },
  options: {},
};
/** What developers and staff work in; each by itself, so that neither loads parts of the other. */
const application = (entries) => ({
  entries,
  options: {
    jsxImportSource: 'react',
    define: { 'process.env.NODE_ENV': '"production"' },
    // With layers and nesting, which Mantine's styles need.
    target: ['chrome120', 'firefox121', 'safari17.2'],
  },
});
const portal = application({ portal: 'web/portal/main.tsx' });
const console = application({ console: 'web/console/main.tsx' });

/** The script and the style of each that the service refers to. */
async function buildPages(root, out, { entries, options }) {
  const { metafile } = await build({
    ...shared,
    ...options,
    absWorkingDir: root,
    entryPoints: entries,
    outdir: out,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    metafile: true,
  });
  const filesOf = (entry) => {
    const [script, { cssBundle }] = Object.entries(metafile.outputs).find(
      ([, { entryPoint }]) => entryPoint === entry,
    );
    return { script: basename(script), style: cssBundle ? basename(cssBundle) : null };
  };
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, filesOf(entry)]));
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
  const [small, forDevelopers, forStaff, sdk] = await Promise.all([
    buildPages(root, out, pages),
    buildPages(root, out, portal),
    buildPages(root, out, console),
    buildScript(root, out),
    buildPage(),
  ]);
  const manifest = { ...small, ...forDevelopers, ...forStaff, sdk };
  writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  rmSync(to, { recursive: true, force: true });
  renameSync(out, to);
}
