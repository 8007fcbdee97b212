import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run check:types`: the lines of the guides in new projects, with the packed SDKs and what npm brings such a
 * project of TypeScript and of the types that the lines meet. The oldest that are supported have fixed numbers;
 * the newest have none, so that a release which breaks a line shows.
 */

interface Project {
  readonly name: string;
  readonly packages: readonly string[];
}

const newest = ['@types/node', 'express', '@types/express', 'next', 'react', '@types/react'];
const projects: readonly Project[] = [
  {
    name: 'the oldest',
    packages: ['typescript@5.5', '@types/node@20', 'express@4', '@types/express@4'].concat(
      'next@14',
      'react@18',
      '@types/react@18',
    ),
  },
  { name: 'the newest', packages: ['typescript@5', ...newest] },
  { name: 'the newest, TypeScript 7', packages: ['typescript@7', ...newest] },
];

/** The programs that run under Node by themselves, and those that a bundler takes. */
const programs = [
  { files: ['server.mts'], module: ['--module', 'nodenext'] },
  {
    files: ['route.ts', 'browser.tsx'],
    module: ['--module', 'esnext', '--moduleResolution', 'bundler', '--jsx', 'react-jsx'],
  },
] as const;

const root = fileURLToPath(new URL('..', import.meta.url));
const quiet = ['--silent', '--no-audit', '--no-fund'];

/** The packages of both SDKs as files. */
function pack(folder: string): string[] {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), 'sdk'], { stdio: 'inherit' });
  return ['server', 'browser'].map((side) => {
    const from = join(root, 'sdk', side, 'dist');
    const args = ['pack', from, '--pack-destination', folder, '--silent'];
    return join(folder, execFileSync('npm', args, { encoding: 'utf8' }).trim());
  });
}

/** @returns whether each line compiles */
function compiles({ name, packages }: Project, folder: string, packed: readonly string[]): boolean {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  cpSync(join(root, 'test/published/types'), folder, { recursive: true });
  const options = { cwd: folder, stdio: 'inherit' } as const;
  // A project of React 18 says so by itself: what next asks for beside it is not ours.
  execFileSync('npm', ['install', ...quiet, '--legacy-peer-deps', ...packages, ...packed], options);
  const failed = programs.filter(({ files, module }) => {
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--types',
      'node',
    ];
    return spawnSync('npx', ['tsc', ...flags, ...module, ...files], options).status !== 0;
  });
  const used = packages.map((given) => {
    const own = given.replace(/(.)@[^@]*$/, '$1');
    const manifest = readFileSync(join(folder, 'node_modules', own, 'package.json'), 'utf8');
    return `${own} ${JSON.parse(manifest).version}`;
  });
  const said = failed.length === 0 ? 'compile' : 'FAIL';
  process.stdout.write(`The lines ${said} with ${name}: ${used.join(', ')}\n`);
  return failed.length === 0;
}

const home = mkdtempSync(join(tmpdir(), 'tpay-types-'));
try {
  const packed = pack(home);
  const results = projects.map((project, i) => compiles(project, join(home, `${i}`), packed));
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  rmSync(home, { recursive: true });
}
