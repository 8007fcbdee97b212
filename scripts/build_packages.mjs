import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSdk } from './build_sdk.mjs';

/** The packages that the service hands out, by the folders that are packed. */
const packed = {
  'sdk-server': 'sdk/server/dist',
  'sdk-browser': 'sdk/browser/dist',
  tpay: 'cli/dist',
};

const integrityOf = (bytes) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** Packs one folder as npm does. @returns what is told of it */
function pack({ root, to, file, folder }) {
  const own = join(to, `.${file}`);
  mkdirSync(own);
  execFileSync('npm', ['pack', join(root, folder), '--pack-destination', own, '--silent'], {
    cwd: own,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [made] = readdirSync(own);
  renameSync(join(own, made), join(to, `${file}.tgz`));
  rmSync(own, { recursive: true });
  const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const bytes = readFileSync(join(to, `${file}.tgz`));
  return { file, name, version, integrity: integrityOf(bytes), bytes: bytes.length };
}

/**
 * Writes `dist/packages`: the SDKs and the command line as npm installs them, and `packages.json` with the integrity
 * of each. The old ones stay until the new ones are complete. The command line is built before.
 * @returns their files
 */
export async function buildPackages({ root }) {
  const to = join(root, 'dist/packages');
  const fresh = `${to}-${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const folder of ['sdk/server', 'sdk/browser']) await buildSdk({ root, folder });
  const made = Object.entries(packed).map(([file, folder]) =>
    pack({ root, to: fresh, file, folder }),
  );
  writeFileSync(join(fresh, 'packages.json'), `${JSON.stringify(made, null, 2)}\n`);
  rmSync(to, { recursive: true, force: true });
  renameSync(fresh, to);
  return made.map(({ file }) => `${file}.tgz`);
}
