import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openClient } from '@tenant-payments/engine/database/pool.ts';
import { makeDataDir, placeOf, restoring } from './embedded_place.ts';
import { freeCluster, isOwnerAlive, processMark } from './embedded_process.ts';

/** Contents that a server makes anew at each start, or that belong to this run of it alone. */
const contentsLeftOut = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const filesLeftOut =
  /^(postmaster\.(pid|opts)|pgsql_tmp.*|pg_internal\.init.*|backup_label|standby\.signal|recovery\.signal)$/;

/** With the owner and the rights of the first one, and on the disk when this resolves. */
async function copyEntry(from: string, to: string): Promise<void> {
  const { mode, uid, gid } = await stat(from);
  await copyFile(from, to);
  await chmod(to, mode);
  await chown(to, uid, gid);
  const file = await open(to, 'r');
  await file.sync();
  await file.close();
}

async function makeFolderAs(from: string, to: string): Promise<void> {
  const { mode, uid, gid } = await stat(from);
  await mkdir(to, { recursive: true });
  await chmod(to, mode & 0o7777);
  await chown(to, uid, gid);
}

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Whether an entry of a folder stays behind. */
type LeavesOut = (name: string, folder: string) => boolean;
const nothing: LeavesOut = () => false;
const ofARun: LeavesOut = (name, folder) => filesLeftOut.test(name) || contentsLeftOut.has(folder);

/** A running server removes files meanwhile: what it needs of them is in its log. */
async function copyFolder(from: string, to: string, leavesOut: LeavesOut): Promise<void> {
  await makeFolderAs(from, to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (leavesOut(entry.name, basename(from))) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    const copying = entry.isDirectory()
      ? copyFolder(source, target, leavesOut)
      : copyEntry(source, target);
    await copying.catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }
}

const slot = 'tenant_payments_backup';
/** Temporary: it goes with the connection, and keeps the log until then. */
const keepLog = `select pg_create_physical_replication_slot('${slot}', true, true)`;

async function copyCluster(url: string, cluster: string, to: string): Promise<void> {
  const client = await openClient(url, { statementTimeoutMs: 600_000 });
  try {
    await client.query(keepLog);
    await client.query(`select pg_backup_start('tenant payments', true)`);
    await copyFolder(cluster, to, ofARun);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    const { uid, gid } = await stat(cluster);
    const label = join(to, 'backup_label');
    await writeFile(label, rows[0]?.labelfile ?? '', { mode: 0o600 });
    await chown(label, uid, gid);
    await copyFolder(join(cluster, 'pg_wal'), join(to, 'pg_wal'), nothing);
  } finally {
    await client.end();
  }
}

/**
 * A base backup of a running embedded server, with the log that makes it whole: it starts as it is, and is what
 * the database was at the end of the copy.
 * @param url as the superuser
 * @param home the folder of the server
 * @param to a folder that is not there
 */
export async function backUpHome(url: string, home: string, to: string): Promise<void> {
  await makeFolderAs(home, to);
  await copyCluster(url, join(home, 'cluster'), join(to, 'cluster'));
  await copyEntry(join(home, 'password'), join(to, 'password'));
}

async function sync(folder: string): Promise<void> {
  const opened = await open(folder, 'r');
  await opened.sync();
  await opened.close();
}

/** Removes the folders of restores that were killed. */
async function removeLeft(beside: string): Promise<void> {
  for (const name of await readdir(beside)) {
    const owner = name.slice(restoring.length).split('-', 2).join('-');
    if (name.startsWith(restoring) && !isOwnerAlive(owner))
      await rm(join(beside, name), { recursive: true, force: true });
  }
}

/** A folder to make a copy ready in, beside its place. */
async function makeStaging(beside: string): Promise<string> {
  const staging = await mkdtemp(join(beside, `${restoring}${processMark(process.pid)}-`));
  // The server's user passes through.
  await chmod(staging, 0o711);
  return staging;
}

/**
 * Puts a copy in the place of the database of DATA_DIR, whole and ready or not at all; what was there is kept
 * beside it.
 * @param from what `backUpHome` has made
 * @param prepare makes the copy ready, which is the database of the DATA_DIR that it is given
 * @returns where the database that was there is now; null: there was none
 * @throws when a process keeps it
 */
export async function replaceHome(
  dataDir: string,
  from: string,
  at: string,
  prepare: (dataDir: string) => Promise<void>,
): Promise<string | null> {
  await makeDataDir(dataDir);
  const { folder: place, exists } = await placeOf(dataDir);
  const free = async () => exists && freeCluster(join(place, 'cluster'), dataDir);
  await free();
  const beside = dirname(place);
  // A folder that a killed restore has left keeps a start from making a new database (`findHome`) while none is there.
  if (exists) await removeLeft(beside);
  const staging = await makeStaging(beside);
  const kept = exists ? `${place}.before-${at.replaceAll(/[:.]/g, '-')}` : null;
  try {
    await copyFolder(from, join(staging, 'postgres'), nothing);
    await prepare(staging);
    // The service may have been started meanwhile.
    await free();
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  // A start between these two finds the folder of the copy, and makes no new database (`findHome`).
  if (kept !== null) await rename(place, kept);
  await rename(join(staging, 'postgres'), place);
  await sync(beside);
  await rm(staging, { recursive: true, force: true });
  await removeLeft(beside);
  return kept;
}
