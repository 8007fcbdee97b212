import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildSdk } from './build_sdk.mjs';
import { buildWeb } from './build_web.mjs';

/**
 * `node scripts/build.mjs service`: what `npm start` runs, made by `npm ci` (prepare), so that a
 * start builds nothing. `web`: its pages alone. `sdk`: the packages for others. Without an argument
 * all of it.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Hundreds of small modules each: loading them one by one costs a start 0.2 s. */
const bundled = new Set(['kysely', 'typebox']);
const external = Object.keys({
  ...packageJson.dependencies,
  ...packageJson.optionalDependencies,
}).filter((name) => !bundled.has(name));

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
};

async function buildService() {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await build({
    ...shared,
    entryPoints: ['start/main.ts'],
    outdir: 'dist',
    // What main.ts imports while the database starts is a file of its own.
    splitting: true,
    // A file within a package too: `ajv/dist/2020.js` is as installed as `ajv`.
    external: external.flatMap((name) => [name, `${name}/*`]),
  });
  cpSync(join(root, 'service/db/migrations'), join(root, 'dist/migrations'), { recursive: true });
  for (const shelf of ['guide', 'reference']) copyTexts(shelf);
  for (const sdk of ['browser', 'server'])
    cpSync(join(root, 'sdk', sdk, 'README.md'), join(root, 'dist/docs/sdk', `${sdk}.md`));
}

/** The pages of `/docs`. */
function copyTexts(shelf) {
  const from = join(root, 'docs', shelf);
  const to = join(root, 'dist/docs', shelf);
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => name.endsWith('.md')))
    cpSync(join(from, file), join(to, file));
}

const started = performance.now();
const asked = process.argv[2];
const built = [];
if (asked === undefined || asked === 'service') {
  await buildService();
  built.push('dist/main.js');
}
if (asked !== 'sdk') {
  await buildWeb({ root });
  built.push('dist/web');
}
if (asked === undefined || asked === 'sdk') {
  for (const folder of ['sdk/server', 'sdk/browser']) {
    await buildSdk({ root, folder });
    built.push(`${folder}/dist`);
  }
}
console.log(`built ${built.join(', ')} in ${Math.round(performance.now() - started)} ms`);
