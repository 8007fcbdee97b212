import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  asUser,
  canEnter,
  findHome,
  type Home,
  makeFolderFor,
  openFolder,
  pointTo,
  type ServerUser,
} from './embedded_place.ts';
import { copyPrepared } from './embedded_prepared.ts';
import { isOwnerAlive, processMark } from './embedded_process.ts';

const run = promisify(execFile);

const STAGING = /^postgres-new-(\d+-\d+)-\w+$/;

/**
 * The builtin locale sorts alike on every system. Without fsync: until the first checkpoint a power cut costs
 * no more than a database of a few seconds.
 */
export const initdbOptions = [
  '--username=postgres',
  '--auth=scram-sha-256',
  // Stretching protects weak passwords; on 256 random bits it would only slow each connection.
  '--set=scram_iterations=1',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-sync',
  '--no-instructions',
];

/** @returns the new password, which the file has too */
async function makePassword(path: string, user: ServerUser): Promise<string> {
  const password = randomBytes(32).toString('hex');
  // By handle: the folder is the user's, who could put a link in the way of a path.
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(password);
  if (user.uid !== process.getuid?.()) await file.chown(user.uid, user.gid);
  await file.close();
  return password;
}

/**
 * Makes a cluster in `folder`. Its superuser `postgres` needs the password on every way in, so that
 * no other user of the machine gets in.
 */
async function makeCluster(
  bin: string,
  folder: string,
  user: ServerUser,
  { isEmpty = false, onWait }: HomeOptions,
): Promise<void> {
  const cluster = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  const as = asUser(user, folder);
  try {
    const password = await makePassword(passwordFile, user);
    const given = { options: initdbOptions, password, as, onWait };
    if (!isEmpty && (await copyPrepared(bin, cluster, given))) return;
    const flags = ['-D', cluster, `--pwfile=${passwordFile}`, ...initdbOptions];
    const made = run(join(bin, 'initdb'), flags, as);
    onWait?.();
    await made;
  } catch (cause) {
    const stderr = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
    throw new Error(
      `The embedded PostgreSQL cannot make its database: ${stderr || cause}; or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** Removes what first starts left behind that were killed. */
async function removeStaging(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const mark = STAGING.exec(name)?.[1];
    if (mark === undefined || isOwnerAlive(mark)) continue;
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

interface HomeOptions {
  /** The places for files that the server's user cannot reach in a closed home, instead of the usual places. */
  readonly openParents?: string[] | undefined;
  /** Nothing of ours is in it: no role, no table. */
  readonly isEmpty?: boolean;
  readonly onWait?: (() => void) | undefined;
}

/**
 * Makes the server's folder of a new DATA_DIR, whole or not at all: under another name first. In
 * DATA_DIR when the server's user can enter that; else in an open folder that lasts, named by
 * DATA_DIR's `postgres.path`. When another start was faster, its folder is taken.
 */
export async function createHome(
  dataDir: string,
  user: ServerUser,
  bin: string,
  options: HomeOptions = {},
): Promise<Home> {
  await removeStaging(dataDir);
  const isInside = await canEnter(dataDir, user);
  const staging = isInside
    ? await makeFolderFor(user, join(dataDir, `postgres-new-${processMark(process.pid)}-`))
    : await makeFolderFor(user, join(await openFolder(user, options.openParents), 'data-'));
  try {
    await makeCluster(bin, staging, user, options);
    if (!isInside) {
      await pointTo(dataDir, staging);
      return { folder: staging, user };
    }
    const folder = join(dataDir, 'postgres');
    await rename(staging, folder);
    return { folder, user };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    const faster = await findHome(dataDir);
    if (faster === undefined) throw error;
    return faster;
  }
}
