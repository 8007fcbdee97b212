import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The platforms that a release runs on: Linux with glibc. */
export const platforms = ['linux-x64', 'linux-arm64'];

const packageOf = (platform) => `@node-rs/argon2-${platform}-gnu`;
const fileOf = (platform) => `argon2.${platform}-gnu.node`;

/** The file out of the registry's package, whose hash the lockfile holds. */
function fetched(root, platform) {
  const name = packageOf(platform);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const folder = mkdtempSync(join(tmpdir(), 'native-'));
  try {
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], { cwd: folder, stdio: 'pipe' });
    const [archive] = readdirSync(folder);
    const hash = createHash('sha512')
      .update(readFileSync(join(folder, archive)))
      .digest('base64');
    if (integrity !== `sha512-${hash}`)
      throw new Error(`${name} ${version} is not the package that the lockfile names`);
    execFileSync('tar', ['-xzf', archive], { cwd: folder });
    return readFileSync(join(folder, 'package', fileOf(platform)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The native file of argon2 for a platform: of this machine as it is installed, else from npm's registry. */
export function nativeFile(root, platform) {
  const isHere = platform === `${process.platform}-${process.arch}`;
  const installed = join(root, 'node_modules', packageOf(platform), fileOf(platform));
  const bytes = isHere ? readFileSync(installed) : fetched(root, platform);
  return { path: `dist/native/${fileOf(platform)}`, bytes };
}
