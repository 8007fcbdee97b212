import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tmpdirOnDisk } from '../run_folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Folders that were made or fetched. */
const left = new Set(['node_modules', 'dist', '.git', '.data']);

/** The sources in a folder of their own, where they can be built beside other tests. */
export interface Checkout {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Copies the checkout as `npm ci` has installed it; links of the workspaces are relative, and lead into the copy. */
export async function copyCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdirOnDisk(), 'tpay-checkout-'));
  await cp(root, folder, {
    recursive: true,
    filter: (from) => from === root || !left.has(basename(from)),
  });
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  // Hard links take a second; between two file systems there are none.
  await promisify(execFile)('cp', ['-RPl', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
