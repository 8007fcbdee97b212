import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const sources = [
  'web/flows',
  'web/ui',
  'examples/corner-shop',
  'sdk/browser',
  'scripts/build_web.mjs',
];
const lock = join(root, 'node_modules/.cache/web-build.lock');
/** A build takes less than a second: a process that holds the lock longer has died. */
const lockMs = 30_000;

const changedAt = async (path: string): Promise<number> =>
  (await stat(path).catch(() => null))?.mtimeMs ?? 0;

async function newest(path: string): Promise<number> {
  const own = await changedAt(path);
  if (!(await stat(path)).isDirectory()) return own;
  const names = (await readdir(path)).filter((name) => name !== 'dist' && name !== 'node_modules');
  return Math.max(own, ...(await Promise.all(names.map((name) => newest(join(path, name))))));
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

/** The pages under `dist/web` as their sources are now; several test files may ask at once. */
export const buildPages = (): Promise<void> =>
  underLock(async () => {
    if (!(await isStale())) return;
    const path = join(root, 'scripts/build_web.mjs');
    const { buildWeb } = (await import(path)) as {
      buildWeb: (where: { root: string }) => Promise<void>;
    };
    await buildWeb({ root });
  });
