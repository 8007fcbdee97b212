import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, startEmbedded } from '../../../service/db/embedded.ts';
import { freeCluster, isOwnerAlive, processMark } from '../../../service/db/embedded_process.ts';
import { foldersOfEndedRuns } from '../run_folder.ts';

const FOLDER = /^tpay-test-(\d+-\d+)-\w+$/;

/** Removes what servers left in a folder that could not clean up: kill -9, a lost machine. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const mark = FOLDER.exec(name)?.[1];
    if (mark === undefined || isOwnerAlive(mark)) continue;
    const folder = join(parent, name);
    try {
      await freeCluster(join(folder, 'postgres', 'cluster'), folder);
      await rm(folder, { recursive: true, force: true });
    } catch {
      // Another run cleans up at the same time, or it belongs to another user.
    }
  }
}

/** Removes the temporary folders of runs that were killed, with their servers. */
export async function removeEndedRuns(): Promise<void> {
  for (const folder of foldersOfEndedRuns()) {
    await removeLeftovers(folder).catch(() => {});
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Nothing can be waited for when a process exits, and nothing here is worth a clean shutdown. */
function endAtOnce(server: EmbeddedServer, folder: string): void {
  try {
    process.kill(server.pid, 'SIGKILL');
  } catch {
    // The server ended by itself.
  }
  const socketFolder = new URL(server.url).searchParams.get('host');
  for (const path of [folder, socketFolder ?? folder]) {
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

/** A folder as DATA_DIR that the server's user can pass, whatever the umask. */
export async function temporaryDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `tpay-test-${processMark(process.pid)}-`));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * An embedded server without durability in a temporary folder; `stop()` removes both, and so does
 * the end of the process, except by kill -9: then the next one does.
 */
export async function startThrowAwayServer(): Promise<EmbeddedServer> {
  await removeLeftovers(tmpdir());
  await removeEndedRuns();
  const folder = await temporaryDataDir();
  const server = await startEmbedded({ dataDir: folder, forTests: true, log: console.error });
  const onExit = () => endAtOnce(server, folder);
  process.once('exit', onExit);
  return {
    ...server,
    async stop() {
      process.off('exit', onExit);
      // At once: a fast shutdown writes all pages of what is removed next.
      process.kill(server.pid, 'SIGQUIT');
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
