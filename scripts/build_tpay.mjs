import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageText } from './site/texts.mjs';

/** The packages that are bundled; each licence wants its text beside the code. */
const bundled = ['commander', 'eventsource-parser', 'fastest-levenshtein', 'typebox'];

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Commander is CommonJS, which asks for Node's own modules by `require`. */
const banner = `#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;

/**
 * Bundles the Tenant's command line with all that it needs. What a command alone needs is a file of its
 * own, so that the help comes at once.
 */
export async function bundleTpay({ root, outdir }) {
  const { version } = readJson(join(root, 'cli/package.json'));
  await build({
    absWorkingDir: root,
    entryPoints: { tpay: 'cli/tpay/main.ts' },
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: banner },
    define: { 'process.env.TPAY_VERSION': JSON.stringify(version) },
    logLevel: 'warning',
  });
  chmodSync(join(outdir, 'tpay.js'), 0o755);
}

/** The licence of a package as it is in its folder. */
function licenceOf(root, name) {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

function manifest(root) {
  const { license, engines } = readJson(join(root, 'package.json'));
  const { version, type } = readJson(join(root, 'cli/package.json'));
  const content = {
    name: '@tenant-payments/tpay',
    version,
    description: "The Tenant's command line of Tenant Payments",
    license,
    type,
    engines,
    bin: { tpay: './tpay.js' },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Writes `cli/dist`: a package that needs nothing of this repository, ready for npx. */
export async function buildTpay({ root }) {
  const dist = join(root, 'cli/dist');
  rmSync(dist, { recursive: true, force: true });
  await bundleTpay({ root, outdir: dist });
  writeFileSync(join(dist, 'package.json'), manifest(root));
  const readme = packageText({ root, source: 'docs/guide/command-line.md' });
  writeFileSync(join(dist, 'README.md'), readme);
  cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
  writeFileSync(
    join(dist, 'NOTICE'),
    `These packages are part of it.\n\n${bundled.map((name) => licenceOf(root, name)).join('\n')}`,
  );
}
