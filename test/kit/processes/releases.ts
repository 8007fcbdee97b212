import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tmpdirOnDisk } from '../run_folder.ts';
import { root, type StartCommand } from './built.ts';
import { type Checkout, copyCheckout } from './checkout.ts';

const run = promisify(execFile);
const build = (folder: string, ...parts: string[]) =>
  run(process.execPath, ['scripts/build.mjs', ...parts], { cwd: folder });

/** Links where both are on one file system. */
async function copyTree(from: string, to: string): Promise<void> {
  await run('cp', ['-RPl', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
  });
}

/** How the release that was built in a folder is started. */
export async function startOf(folder: string): Promise<StartCommand> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return ['sh', '-c', `cd '${folder}' && ${scripts.start}`];
}

/**
 * The repository as it was at a commit, in a folder where it stays for the next run. @throws when there is no such
 * commit
 */
export async function releaseOf(commit: string): Promise<string> {
  const folder = join(tmpdirOnDisk(), 'tenant-payments-releases', commit);
  if (existsSync(folder)) return folder;
  const making = `${folder}-${process.pid}`;
  await mkdir(making, { recursive: true });
  await run(
    'sh',
    ['-c', `git archive '${commit}' > '${making}.tar' && tar -xf '${making}.tar' -C '${making}'`],
    {
      cwd: root,
    },
  );
  await rm(`${making}.tar`);
  const lock = (at: string) => readFile(join(at, 'package-lock.json'), 'utf8');
  if ((await lock(root)) === (await lock(making)))
    await copyTree(join(root, 'node_modules'), join(making, 'node_modules'));
  else await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: making });
  await build(making, 'service');
  await rename(making, folder);
  return folder;
}

/** A word of each page, and the one that the other build has. */
const words = [
  ['web/flows/texts/en/confirm.ts', 'Confirm payment', 'Approve payment'],
  ['web/portal/pages/requests.tsx', 'title="Requests"', 'title="Calls"'],
] as const;

/** The present tree with other words in its pages, so that their files have other names. */
export async function otherBuild(): Promise<Checkout> {
  const checkout = await copyCheckout();
  for (const [path, from, to] of words) {
    const file = join(checkout.folder, path);
    const text = await readFile(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${path} does not say ${from}`);
    // Not in place: it may be a link to the original.
    await rm(file);
    await writeFile(file, text.replace(from, to));
  }
  await copyTree(join(root, 'dist'), join(checkout.folder, 'dist'));
  await build(checkout.folder, 'web');
  return checkout;
}
