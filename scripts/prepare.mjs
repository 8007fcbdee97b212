import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The script that `npm ci` runs: it builds the service, where the packages that build it were installed too. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** `npm ci --omit=dev` serves what was built before. */
if (existsSync(join(root, 'node_modules/esbuild'))) {
  const build = [join(root, 'scripts/build.mjs'), 'service'];
  process.exitCode = spawnSync(process.execPath, build, { stdio: 'inherit' }).status ?? 1;
} else if (!existsSync(join(root, 'dist/main.js')))
  console.error('Nothing is built, since --omit=dev leaves out what builds it: take a release.');
