import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './run_program.ts';

/** The versions of Node that the suite passes on; 20 is the oldest that `engines` allows. */
export const nodeVersions = ['20.19', '22', '24'] as const;

const root = fileURLToPath(new URL('..', import.meta.url));

/** The folder of a Node, which npm's package `node` brings. @throws when npm cannot */
export function installNode(version: string): string {
  const home = join(root, 'node_modules/.cache/node', version);
  const bin = join(home, 'node_modules/node/bin');
  if (existsSync(join(bin, 'node'))) return bin;
  mkdirSync(home, { recursive: true });
  // The script of this one package fetches the binary of the machine's kind.
  const manifest = { private: true, allowScripts: { node: true } };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  const options = ['--no-save', '--no-package-lock', '--silent'];
  execFileSync('npm', ['install', ...options, `node@${version}`], { cwd: home, stdio: 'inherit' });
  return bin;
}

/** Runs the tests under that Node. @returns the exit code */
export async function testOn(bin: string, files: readonly string[] = []): Promise<number> {
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const command = [join(bin, 'node'), vitest, 'run', '--root', root, ...files];
  return (await runProgram(command, 'inherit', env)).passed ? 0 : 1;
}

/** `npm run check:node -- 24 [FILE ...]`: the tests under another Node than the one at hand. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version, ...files] = process.argv.slice(2);
  if (!version || !/^\d+(\.\d+){0,2}$/.test(version)) {
    process.stderr.write(`Say which Node: npm run check:node -- ${nodeVersions.join(' | ')}\n`);
    process.exit(2);
  }
  const bin = installNode(version);
  const found = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim();
  process.stdout.write(`Tests under Node ${found}\n`);
  process.exit(await testOn(bin, files));
}
