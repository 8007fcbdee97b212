import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeBillOfMaterials } from './bill_of_materials.mjs';
import { beside, buildApart } from './build_apart.mjs';
import { buildBank } from './build_bank.mjs';
import { adaptersBeside, buildCompiled } from './build_compiled.mjs';
import { buildPackages } from './build_packages.mjs';
import { buildSite, clearDist } from './build_site.mjs';
import { buildTpay } from './build_tpay.mjs';
import { buildWeb } from './build_web.mjs';

/**
 * `node scripts/build.mjs service` builds what `npm start` and `npm run cli` run; `npm ci` calls it (prepare),
 * so that a start builds nothing. It has four parts, which can be named alone: `programs`, `web` (the pages)
 * and `docs` (the documentation). `sdk`: the packages that it hands out. No argument: all, and a bill of materials
 * beside it.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { optionalDependencies } = readJson('package.json');
/**
 * All other packages are bundled: loading their hundreds of small files one by one takes a third of a start.
 * These are native or read files of their own; Fastify's compilers, its test client and `pg-native` are never run.
 */
const external = [
  ...Object.keys(optionalDependencies),
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@node-rs/argon2',
  'light-my-request',
  'pdfkit',
  'pg-native',
  'wawoff2',
];

const forCommonJs =
  "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);";
/** Node 20 has no `navigator`; pg would load all of undici to find out that this is no Cloudflare worker. */
const forPg = "globalThis.navigator ??= { userAgent: 'Node.js' };";

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  // Less to read and to keep in memory. Names stay, since stack traces show them.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  logLevel: 'warning',
  outdir: 'dist',
  // Also a file within a package, such as `ajv/dist/2020.js`.
  external: external.flatMap((name) => [name, `${name}/*`]),
};

async function buildService() {
  clearDist(join(root, 'dist'));
  const parts = { main: 'start/main.ts', service: 'start/serve.ts' };
  await buildCompiled({ ...shared, ...parts, banner: forPg });
  await build({
    ...shared,
    format: 'esm',
    // A module imported when it is needed is a file of its own.
    splitting: true,
    banner: { js: [forCommonJs, forPg].join(' ') },
    plugins: [beside, adaptersBeside],
    entryPoints: {
      cli: 'cli/main.ts',
      operate: 'scripts/operate.ts',
      config_check: 'scripts/config_check.ts',
      doctor: 'scripts/doctor.ts',
      prepare_cluster: 'scripts/prepare_cluster.ts',
    },
  });
  await buildApart({ ...shared, root });
  await buildBank({ ...shared, root, banner: { js: forCommonJs } });
  cpSync(join(root, 'service/db/migrations'), join(root, 'dist/migrations'), { recursive: true });
}

/** The database that a first start copies. @returns what was made */
function prepareCluster() {
  const script = join(root, 'dist/prepare_cluster.js');
  return execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim();
}

const started = performance.now();
const asked = process.argv.slice(2);
const built = [];
const isAsked = (...names) => asked.length === 0 || names.some((name) => asked.includes(name));
if (isAsked('service', 'programs')) {
  await buildService();
  await buildTpay({ root });
  built.push('dist/main.js', 'dist/cli.js', 'cli/dist/tpay.js', prepareCluster());
}
if (isAsked('service', 'web')) {
  await buildWeb({ root });
  built.push('dist/web');
}
if (isAsked('service', 'docs')) {
  const count = await buildSite({ root });
  built.push(`dist/docs (${count} pages)`);
}
if (isAsked('service', 'sdk')) built.push(...(await buildPackages({ root })));
if (asked.length === 0) {
  const count = writeBillOfMaterials({ root, folder: join(root, 'dist') });
  built.push(`dist/sbom.cdx.json and dist/licences.md (${count} packages)`);
}
console.log(`built ${built.join(', ')} in ${Math.round(performance.now() - started)} ms`);
