import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../service/db/embedded.ts';
import { openTree, packagedBinaries } from '../service/db/embedded_binaries.ts';
import { initdbOptions } from '../service/db/embedded_home.ts';
import { findHome, serverUser } from '../service/db/embedded_place.ts';
import { preparedBeside, preparedKey } from '../service/db/embedded_prepared.ts';
import { migrate } from '../service/db/migrate.ts';

/** Makes a migrated cluster in a temporary folder and puts a copy of its files at `target`. */
async function makeAt(target: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tenant-payments-cluster-'));
  let made = folder;
  try {
    await chmod(folder, 0o711);
    const server = await startEmbedded({ dataDir: folder });
    made = (await findHome(folder))?.folder ?? folder;
    await migrate(server.url).finally(() => server.stop());
    await rm(target, { recursive: true, force: true });
    await cp(join(made, 'cluster'), target, { recursive: true });
    await openTree(target);
  } finally {
    for (const path of [made, folder]) await rm(path, { recursive: true, force: true });
  }
}

/** @returns what there is now */
async function prepare(): Promise<string> {
  const bin = await packagedBinaries(serverUser());
  // Programs that are copied to an open folder serve several checkouts, whose migrations may differ.
  if (bin === null) return 'no cluster: a closed folder';
  const { cluster, key } = preparedBeside(bin);
  const wanted = await preparedKey(initdbOptions);
  if ((await readFile(key, 'utf8').catch(() => null)) === wanted) return 'the cluster as it was';
  await rm(key, { force: true });
  await makeAt(cluster);
  // Last: a cluster without its key is not used.
  await writeFile(key, wanted);
  return 'a prepared cluster';
}

/**
 * `scripts/build.mjs` runs this: it makes the cluster that the first start of each DATA_DIR copies. Where it
 * cannot, a first start makes its own, which takes a second more.
 */
console.log(await prepare().catch(({ message }: Error) => `no cluster: ${message}`));
