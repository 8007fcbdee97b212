import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeBillOfMaterials } from './bill_of_materials.mjs';
import { buildSdk } from './build_sdk.mjs';
import { buildSite, clearDist } from './build_site.mjs';
import { buildTpay } from './build_tpay.mjs';
import { buildWeb } from './build_web.mjs';

/**
 * `node scripts/build.mjs service` builds what `npm start` and `npm run cli` run; `npm ci` calls it (prepare),
 * so that a start builds nothing. `web`: only the pages. `docs`: only the documentation. `sdk`: the packages
 * for others. No argument: all, and a bill of materials beside it.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const packageJson = readJson('package.json');
const shopJson = readJson('examples/corner-shop/package.json');
/** Hundreds of small modules each: loading them one by one takes 0.2 s of a start. */
const bundled = new Set(['kysely', 'typebox']);
const external = Object.keys({
  ...packageJson.dependencies,
  ...packageJson.optionalDependencies,
  ...shopJson.dependencies,
}).filter((name) => !bundled.has(name) && !name.startsWith('@tenant-payments/'));

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
  clearDist(join(root, 'dist'));
  const ofDist = {
    ...shared,
    outdir: 'dist',
    // What is imported when it is needed is a file of its own.
    splitting: true,
    // Also a file within a package, such as `ajv/dist/2020.js`.
    external: external.flatMap((name) => [name, `${name}/*`]),
  };
  await build({ ...ofDist, entryPoints: ['start/main.ts'] });
  await build({
    ...ofDist,
    entryPoints: {
      cli: 'cli/main.ts',
      operate: 'scripts/operate.ts',
      config_check: 'scripts/config_check.ts',
    },
  });
  cpSync(join(root, 'service/db/migrations'), join(root, 'dist/migrations'), { recursive: true });
}

const started = performance.now();
const asked = process.argv[2];
const built = [];
const isAsked = (...names) => asked === undefined || names.includes(asked);
if (isAsked('service')) {
  await buildService();
  await buildTpay({ root });
  built.push('dist/main.js', 'dist/cli.js', 'cli/dist/tpay.js');
}
if (isAsked('service', 'web')) {
  await buildWeb({ root });
  built.push('dist/web');
}
if (isAsked('service', 'docs')) {
  const count = await buildSite({ root });
  built.push(`dist/docs (${count} pages)`);
}
if (isAsked('sdk')) {
  for (const folder of ['sdk/server', 'sdk/browser']) {
    await buildSdk({ root, folder });
    built.push(`${folder}/dist`);
  }
}
if (asked === undefined) {
  const count = writeBillOfMaterials({ root, folder: join(root, 'dist') });
  built.push(`dist/sbom.cdx.json and dist/licences.md (${count} packages)`);
}
console.log(`built ${built.join(', ')} in ${Math.round(performance.now() - started)} ms`);
