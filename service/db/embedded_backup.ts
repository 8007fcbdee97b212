import {
  chmod,
  chown,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openClient } from '@tenant-payments/engine/database/pool.ts';
import { findHome } from './embedded_place.ts';
import { freeCluster } from './embedded_process.ts';

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

/**
 * Puts a copy in the place of the database of DATA_DIR; what was there is kept beside it.
 * @param from what `backUpHome` has made
 * @returns where the database that was there is now; null: there was none
 * @throws when a process keeps it
 */
export async function replaceHome(
  dataDir: string,
  from: string,
  at: string,
): Promise<string | null> {
  const home = await findHome(dataDir);
  const place = home?.folder ?? join(dataDir, 'postgres');
  let kept: string | null = null;
  if (home) {
    await freeCluster(join(home.folder, 'cluster'), dataDir);
    kept = `${place}.before-${at.replaceAll(/[:.]/g, '-')}`;
    await rename(place, kept);
  }
  await mkdir(dirname(place), { recursive: true });
  await copyFolder(from, place, nothing);
  return kept;
}
