import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { buildPage } from '../examples/corner-shop/build.mjs';
import { directParts } from './direct_parts.mjs';
import { tokensFile, tokensUnder } from './tokens.mjs';

/** The options of files that browsers load: file names contain a hash, so that they can be cached for ever. */
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

/** Portal and console: their reader may choose light or dark. */
const chosenScheme = {
  name: 'chosen-scheme',
  setup({ onLoad }) {
    onLoad({ filter: tokensFile }, ({ path }) => ({
      contents: tokensUnder(readFileSync(path, 'utf8'), ':root[data-mantine-color-scheme="dark"]'),
      loader: 'css',
    }));
  },
};

/** The applications that developers and staff work in. */
const application = {
  jsxImportSource: 'react',
  define: { 'process.env.NODE_ENV': '"production"' },
  // With layers and nesting, which Mantine's styles need.
  target: ['chrome120', 'firefox121', 'safari17.2'],
};

/** The pages that customers and people who sign in open: they are small, so with Preact, and asked for at once. */
const pages = {
  flows: {
    entry: 'web/flows/main.tsx',
    parts: { READER_PATH: 'web/ui/markdown/read_markdown.ts' },
  },
  sign_in: { entry: 'web/sign_in/main.tsx' },
  portal: { entry: 'web/portal/main.tsx', options: application },
  console: { entry: 'web/console/main.tsx', options: application },
};

/** The packages that pages hold, by their names. */
const bundled = new Set();
const packageIn = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** A file with all that it imports. @returns the paths of its script and style */
async function buildEntry(root, out, entry, options, name = basename(entry, '.ts')) {
  const { metafile } = await build({
    ...shared,
    ...options,
    absWorkingDir: root,
    entryPoints: { [name]: entry },
    outdir: out,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    splitting: true,
    metafile: true,
  });
  for (const path of Object.keys(metafile.inputs)) {
    const [, name] = packageIn.exec(path) ?? [];
    if (name !== undefined) bundled.add(name);
  }
  const [script, { cssBundle }] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === entry,
  );
  return { script, cssBundle };
}

/**
 * The script and the style that the service refers to. Each of `pages` is built by itself: a script that two
 * of them shared would be one more request of both.
 */
async function buildPages(root, out, name) {
  const { entry, parts = {}, options } = pages[name];
  const of = options && { ...options, plugins: [chosenScheme, directParts(root)] };
  const define = { ...options?.define };
  for (const [constant, part] of Object.entries(parts)) {
    const { script } = await buildEntry(root, out, part, {});
    define[constant] = JSON.stringify(`./${basename(script)}`);
  }
  const { script, cssBundle } = await buildEntry(root, out, entry, { ...of, define }, name);
  return [name, { script: basename(script), style: cssBundle ? basename(cssBundle) : null }];
}

/** One file as a script of its own. @returns its bytes */
async function scriptOf(root, entry) {
  const { outputFiles } = await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: [entry],
    format: 'iife',
    write: false,
  });
  return Buffer.from(outputFiles[0].contents);
}

/** The SDK as a script for a page, with its integrity hash, and a version from its bytes. */
async function buildSdkScript(root, out) {
  const bytes = await scriptOf(root, 'sdk/browser/script.ts');
  const hash = createHash('sha384').update(bytes).digest();
  const version = hash.toString('hex').slice(0, 16);
  const script = `sdk-${version}.js`;
  writeFileSync(join(out, script), bytes);
  return { script, version, integrity: `sha384-${hash.toString('base64')}` };
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
  const [sdk, starter, files] = await Promise.all([
    buildSdkScript(root, out),
    scriptOf(root, 'web/starter/starter.ts'),
    Promise.all(Object.keys(pages).map((name) => buildPages(root, out, name))),
    buildPage(),
  ]);
  const manifest = {
    ...Object.fromEntries(files),
    sdk,
    font: readdirSync(out).find((name) => /^inter-latin-wght-normal-\w+\.woff2$/.test(name)),
    starter: starter.toString().trim(),
    made_of: [...bundled].sort(),
  };
  writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  rmSync(to, { recursive: true, force: true });
  renameSync(out, to);
}
