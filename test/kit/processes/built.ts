import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runNode } from './run_node.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const sources = [
  'cli',
  'contract',
  'docs',
  'examples/corner-shop',
  'package.json',
  'scripts',
  'sdk',
  'service',
  'site',
  'start',
  'web',
];
/** The arguments of `node` that start the service, as `npm start` does. */
export const asStarted: readonly string[] = [
  '--max-semi-space-size=32',
  '--heap-growing-percent=150',
  join(root, 'dist/main.js'),
];
const lock = join(root, 'node_modules/.cache/build.lock');
/** A build takes seconds: a process that holds the lock longer has died. */
const lockMs = 120_000;

/** What builds write beside their sources. */
const made = new Set(['dist', 'node_modules', '.pages', '.temp', 'cache']);

const changedAt = async (path: string): Promise<number> =>
  (await stat(path).catch(() => null))?.mtimeMs ?? 0;

async function newest(path: string): Promise<number> {
  // Not a folder's own time: a build that writes its `dist` changes it.
  if (!(await stat(path)).isDirectory()) return changedAt(path);
  const names = (await readdir(path)).filter((name) => !made.has(name));
  return Math.max(0, ...(await Promise.all(names.map((name) => newest(join(path, name))))));
}

async function isStale(): Promise<boolean> {
  const built = await changedAt(join(root, 'dist/web/manifest.json'));
  const changed = await Promise.all(sources.map((path) => newest(join(root, path))));
  return Math.max(...changed) > built;
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

/** Builds service, command line and pages once more where their sources have changed since `npm ci`. */
export const buildIfStale = (): Promise<void> =>
  underLock(async () => {
    if (!(await isStale())) return;
    const build = [join(root, 'scripts/build.mjs'), 'service'];
    const { code, stderr } = await runNode(build, { cwd: root });
    if (code !== 0) throw new Error(`the build ended with ${code}:\n${stderr}`);
  });
