import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The names of our own packages, which must lead into the copy. */
const ownScope = '@tenant-payments';

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Folders of our own packages by their names, without the scope. */
function ownPackages(root: string): [name: string, folder: string][] {
  const folders: string[] = readJson(join(root, 'package.json')).workspaces;
  return folders.map((folder) => {
    const { name } = readJson(join(root, folder, 'package.json'));
    return [name.slice(ownScope.length + 1), folder];
  });
}

async function linkPackages(root: string, copy: string): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  await mkdir(join(to, ownScope), { recursive: true });
  // Caches are the copy's own.
  for (const name of await readdir(from))
    if (name !== ownScope && (name === '.bin' || !name.startsWith('.')))
      await symlink(join(from, name), join(to, name));
  for (const [name, folder] of ownPackages(root))
    await symlink(join(copy, folder), join(to, ownScope, name));
}

/**
 * Copies a working tree as git knows it, with what is not committed yet, to a temporary folder. Other
 * people's packages are linked, our own lead into the copy.
 * @returns the folder
 */
export async function copyTree(root: string): Promise<string> {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const copy = await mkdtemp(join(tmpdir(), 'tpay-mutations-'));
  const files = [...new Set(listed.split('\0'))].filter(
    (file) => file !== '' && existsSync(join(root, file)) && lstatSync(join(root, file)).isFile(),
  );
  for (const folder of new Set(files.map(dirname)))
    await mkdir(join(copy, folder), { recursive: true });
  for (const file of files) await copyFile(join(root, file), join(copy, file));
  // The documentation as it was built: a build finds it complete, and leaves it.
  for (const built of ['dist/docs', 'dist/docs.json'])
    if (existsSync(join(root, built)))
      await cp(join(root, built), join(copy, built), { recursive: true });
  await linkPackages(root, copy);
  return copy;
}
