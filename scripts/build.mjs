import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * `node scripts/build.mjs service`: what `npm start` runs, made by `npm ci` (prepare), so that a
 * start builds nothing. Without an argument the packages for others are built too.
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
    entryPoints: ['service/main.ts'],
    outdir: 'dist',
    // What main.ts imports while the database starts is a file of its own.
    splitting: true,
    // A file within a package too: `ajv/dist/2020.js` is as installed as `ajv`.
    external: external.flatMap((name) => [name, `${name}/*`]),
  });
  cpSync(join(root, 'service/db/migrations'), join(root, 'dist/migrations'), { recursive: true });
}

/** The contract comes along in the bundle; what a user installs beside the SDK stays outside. */
async function buildSdk(folder) {
  const own = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const dist = join(root, folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await build({
    ...shared,
    entryPoints: [`${folder}/index.ts`],
    outfile: `${folder}/dist/index.js`,
    external: Object.keys(own.dependencies ?? {}),
  });
}

const started = performance.now();
const built = ['dist/main.js'];
await buildService();
if (process.argv[2] !== 'service' && existsSync(join(root, 'sdk/server/index.ts'))) {
  await buildSdk('sdk/server');
  built.push('sdk/server/dist/index.js');
}
console.log(`built ${built.join(', ')} in ${Math.round(performance.now() - started)} ms`);
