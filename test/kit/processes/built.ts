import { readFileSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parts } from './parts.ts';
import { runNode } from './run_node.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder of the built programs; a file that imports this one is run after that. */
export const programs = join(root, 'dist');

export type Part = keyof typeof parts;

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** A program and its arguments, run from the repository's root. */
export type StartCommand = readonly [string, ...string[]];

/** The line that `npm start` gives to a shell: the service without npm. */
export const startLine: StartCommand = ['sh', '-c', scripts.start];

/** The service as its README starts it. */
export const npmStart: StartCommand = ['npm', 'start'];
const lock = join(root, 'node_modules/.cache/build.lock');
/** A build takes seconds: a process that holds the lock longer has died. */
const lockMs = 120_000;

/** Folders that builds write beside their sources. */
const made = new Set(['dist', 'node_modules', '.pages', '.temp', 'cache']);

const changedAt = async (path: string): Promise<number> =>
  (await stat(path).catch(() => null))?.mtimeMs ?? 0;

async function newest(path: string): Promise<number> {
  // Not a folder's own time: a build that writes its `dist` changes it.
  if (!(await stat(path)).isDirectory()) return changedAt(path);
  const names = (await readdir(path)).filter(
    (name) => !made.has(name) && !/\.test\.ts$/.test(name),
  );
  return Math.max(0, ...(await Promise.all(names.map((name) => newest(join(path, name))))));
}

async function isStale(part: Part): Promise<boolean> {
  const facts = parts[part];
  if (facts === null) return true;
  const builtAt = await changedAt(join(root, facts.made));
  const changed = await Promise.all(facts.sources.map((path) => newest(join(root, path))));
  return Math.max(...changed) > builtAt;
}

async function underLock(work: () => Promise<void>): Promise<void> {
  await mkdir(join(lock, '..'), { recursive: true });
  for (;;) {
    try {
      await mkdir(lock);
      break;
    } catch {
      // Null: its holder has just removed it.
      const held = await stat(lock).catch(() => null);
      if (held && Date.now() - held.mtimeMs > lockMs)
        await rm(lock, { recursive: true, force: true });
      else await sleep(50);
    }
  }
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** Builds these parts once more where their sources have changed since `npm ci`. */
export const buildIfStale = (...asked: readonly Part[]): Promise<void> =>
  underLock(async () => {
    const stale: Part[] = [];
    for (const part of asked) if (await isStale(part)) stale.push(part);
    if (stale.length === 0) return;
    const build = [join(root, 'scripts/build.mjs'), ...stale];
    const { code, stderr } = await runNode(build, { cwd: root });
    if (code !== 0) throw new Error(`the build ended with ${code}:\n${stderr}`);
  });
