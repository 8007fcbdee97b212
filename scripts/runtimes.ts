import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A binary that npm delivers for one kind of machine, pinned to its bytes. */
interface Pinned {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the archive, as the registry says it. */
  readonly integrity: string;
  readonly bin: string;
  /** Before the program's path. */
  readonly args: readonly string[];
}

const bun = (name: string, integrity: string): Pinned => ({
  name: `@oven/bun-${name}`,
  version: '1.4.5',
  bin: 'bin/bun',
  args: ['run'],
  integrity: `sha512-${integrity}`,
});

/** By `platform-arch` of Node. */
const pinned: Readonly<Record<string, Readonly<Record<string, Pinned>>>> = {
  bun: {
    'linux-x64': bun(
      'linux-x64',
      'IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
    ),
    'linux-arm64': bun(
      'linux-aarch64',
      '4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
    ),
    'darwin-x64': bun(
      'darwin-x64',
      'qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
    ),
    'darwin-arm64': bun(
      'darwin-aarch64',
      '4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==',
    ),
  },
  deno: {
    'linux-x64': {
      name: '@deno/linux-x64-glibc',
      version: '2.9.6',
      integrity:
        'sha512-3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==',
      bin: 'deno',
      args: ['run', '--allow-all', '--quiet'],
    },
  },
};

/** A runtime of JavaScript on this machine, and how it runs a program. */
export interface Runtime {
  readonly name: string;
  readonly bin: string;
  readonly args: readonly string[];
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Fetches the archive of a package into `home` and unpacks it. @throws when its bytes are others */
function unpack({ name, version, integrity }: Pinned, home: string): void {
  mkdirSync(home, { recursive: true });
  const options = ['--silent', '--pack-destination', home];
  const said = execFileSync('npm', ['pack', `${name}@${version}`, ...options], { cwd: home });
  const archive = join(home, said.toString().trim());
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (integrity !== `sha512-${digest}`) throw new Error(`${name}@${version} is not what is pinned`);
  execFileSync('tar', ['-xzf', archive, '-C', home]);
}

/** Bun and Deno, brought once into node_modules/.cache. @returns null where none is pinned for this machine */
export function installRuntime(name: 'bun' | 'deno'): Runtime | null {
  const wanted = pinned[name]?.[`${process.platform}-${process.arch}`];
  if (!wanted) return null;
  const home = join(root, 'node_modules/.cache', name, wanted.version);
  const bin = join(home, 'package', wanted.bin);
  if (!existsSync(bin)) unpack(wanted, home);
  return { name: `${name} ${wanted.version}`, bin, args: wanted.args };
}
