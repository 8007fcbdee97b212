import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  stat,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { socketFolderPrefix } from './embedded_process.ts';

/** The account that PostgreSQL runs as; it refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Spawn options of PostgreSQL's programs: nothing of our environment, which holds secrets. */
export function asUser(user: ServerUser, cwd: string) {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' };
  return user.uid === process.getuid?.() ? { cwd, env } : { cwd, env, ...user };
}

const NOBODY: ServerUser = { uid: 65_534, gid: 65_534 };

/** `sun_path` holds 104 bytes on macOS, 108 on Linux, the closing zero and `.s.PGSQL.5432` included. */
const LONGEST_SOCKET_FOLDER = 85;

/** Present when the cluster could not lie in DATA_DIR: one line, the path of its folder. */
const POINTER = 'postgres.path';

/** @throws where the embedded server cannot run at all */
export function serverUser(): ServerUser {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  if (uid === undefined || gid === undefined) {
    throw new Error('The embedded PostgreSQL does not run on this system; set DATABASE_URL.');
  }
  if (uid !== 0) return { uid, gid };
  if (process.platform === 'linux') return NOBODY;
  throw new Error('The embedded PostgreSQL does not run as root; start as an ordinary user.');
}

/** Whether a file's mode gives the user these bits (4 read, 2 write, 1 execute or enter). */
export async function isAllowed(path: string, user: ServerUser, bits: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}

/** Whether the user may enter a folder and every one above it. Access lists are not looked at. */
export async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  if (user.uid === process.getuid?.()) return true;
  let at = await realpath(folder);
  for (;;) {
    if (!(await isAllowed(at, user, 1))) return false;
    if (at === dirname(at)) return true;
    at = dirname(at);
  }
}

/** Folders that last, in the order in which they are tried. */
function lastingFolders(): string[] {
  const own = process.getuid?.() === 0 ? '/var/lib' : join(homedir(), '.cache');
  return [own, '/var/tmp', tmpdir()];
}

/**
 * A lasting folder of ours that the server's user can enter, for what a closed home keeps it from:
 * `tenant-payments-<uid>` in the first place where it can be made. No other user can have put files
 * into it: it must be ours, writable only by us, and in a place where others cannot replace it.
 * @throws when there is none
 */
export async function openFolder(user: ServerUser, parents = lastingFolders()): Promise<string> {
  const uid = process.getuid?.();
  for (const parent of parents) {
    const folder = join(parent, `tenant-payments-${uid}`);
    try {
      const above = await stat(parent);
      const sticky = (above.mode & 0o1000) !== 0;
      if ((above.mode & 0o022) !== 0 && !sticky) continue;
      const made = await mkdir(folder, { mode: 0o755, recursive: true });
      // The umask may have taken bits away.
      if (made !== undefined) await chmod(folder, 0o755);
      const own = await lstat(folder);
      const safe = own.isDirectory() && own.uid === uid && (own.mode & 0o022) === 0;
      if (safe && (await canEnter(folder, user))) return folder;
    } catch {
      // Not there, or read-only: the next one.
    }
  }
  throw new Error(
    `No folder that user ${user.uid} can enter, among ${parents.join(', ')}; set DATABASE_URL.`,
  );
}

/** A folder of this run for the socket: short, entered by the server's user and root only. */
export async function makeSocketFolder(user: ServerUser): Promise<string> {
  for (const parent of [tmpdir(), '/tmp', '/var/tmp']) {
    const prefix = join(parent, socketFolderPrefix());
    if (Buffer.byteLength(prefix) + 'XXXXXX'.length > LONGEST_SOCKET_FOLDER) continue;
    try {
      if (!(await canEnter(parent, user))) continue;
      return await makeFolderFor(user, prefix);
    } catch {
      // Not there, or read-only: the next one.
    }
  }
  throw new Error(`No temporary folder for the database socket that user ${user.uid} can enter.`);
}

/** A new folder with a random end to its name that only `user` (and root) can enter. */
export async function makeFolderFor(user: ServerUser, prefix: string): Promise<string> {
  const folder = await mkdtemp(prefix);
  if (user.uid !== process.getuid?.()) await chown(folder, user.uid, user.gid);
  return folder;
}

/** Makes DATA_DIR when it is not there, closed to listing but open to the server's user. */
export async function makeDataDir(dataDir: string): Promise<string> {
  const made = await mkdir(dataDir, { recursive: true });
  if (made !== undefined) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  return realpath(dataDir);
}

/** The server's own folder: the cluster, its password and its log; and who works in it. */
export interface Home {
  readonly folder: string;
  readonly user: ServerUser;
}

/** The folder's owner, whom root can become; an ordinary user can only be the owner. */
async function homeOf(folder: string): Promise<Home> {
  const { uid, gid } = await stat(folder);
  const own = process.getuid?.();
  const user = uid === 0 || (own !== 0 && own !== uid) ? undefined : { uid, gid };
  if (user === undefined) {
    throw new Error(
      `The database in ${folder} belongs to user ${uid}; start as that one, or root.`,
    );
  }
  if (await canEnter(folder, user)) return { folder, user };
  throw new Error(
    `PostgreSQL runs as user ${uid}, who cannot enter ${folder}; ` +
      'let others pass the folders above it (chmod o+x), or start as its owner.',
  );
}

/**
 * The home of this DATA_DIR, undefined before the first start: `postgres` in it, or the folder that `postgres.path`
 * names.
 * @throws when it existed and cannot be reached any more, or is being restored: a new database must not replace it
 */
export async function findHome(dataDir: string): Promise<Home | undefined> {
  const { folder, isElsewhere, exists } = await placeOf(dataDir);
  if (exists) return homeOf(folder);
  if (isElsewhere)
    throw new Error(
      `The database of ${dataDir} is gone: ${join(dataDir, POINTER)} names ${folder}.`,
    );
  const names = await readdir(dataDir).catch(() => []);
  if (names.some((name) => name.startsWith(restoring)))
    throw new Error(`A restore of ${dataDir} was ended half way: run backup restore again.`);
  return undefined;
}

/** The beginning of the name of a folder in which a restored copy is made ready. */
export const restoring = 'restoring-';

/** The folder that is, or would be, the home of this DATA_DIR. */
export async function placeOf(dataDir: string) {
  const elsewhere = await readFile(join(dataDir, POINTER), 'utf8').catch(() => undefined);
  const folder = elsewhere?.trim() ?? join(dataDir, 'postgres');
  const exists = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return { folder, exists, isElsewhere: elsewhere !== undefined };
}

/** Notes in DATA_DIR that its server lies elsewhere. @throws EEXIST when another start was first */
export async function pointTo(dataDir: string, folder: string): Promise<void> {
  await writeFile(join(dataDir, POINTER), `${folder}\n`, { flag: 'wx', mode: 0o600 });
}
