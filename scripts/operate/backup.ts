import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { instantOf } from '../../engine/time/instant.ts';
import { withClient } from '../../fleet/cells.ts';
import { startEmbedded } from '../../service/db/embedded.ts';
import { backUpHome, replaceHome } from '../../service/db/embedded_backup.ts';
import { findHome } from '../../service/db/embedded_place.ts';
import { findDatabase, urlOf } from '../../service/db/embedded_running.ts';
import { migrate } from '../../service/db/migrate.ts';
import {
  type BackupEvent,
  backupFaults,
  noteBackup,
  readBackupState,
} from '../../service/restore/backups.ts';
import { beginRestore } from '../../service/restore/begin.ts';
import { holdTenants } from '../../service/restore/hold.ts';
import { commandLine } from './actor.ts';
import type { Deployment } from './deployment.ts';
import { Fault } from './fault.ts';

const manifest = 'backup.json';

const by = (): string => {
  const { kind, id } = commandLine();
  return `${kind} ${id}`;
};

/** @throws Fault where the database is not the embedded one */
function assertEmbedded({ settings: { databaseUrl } }: Deployment): void {
  if (databaseUrl !== null)
    throw new Fault(
      'DATABASE_URL names a server of its own, whose tools make its backups',
      'See docs/guide/operating/restore.md; npm run cli -- backup check says how they are.',
    );
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** When a copy was made. @throws Fault where it is none */
async function madeAt(from: string): Promise<string> {
  try {
    return String(JSON.parse(await readFile(join(from, manifest), 'utf8')).made_at);
  } catch {
    throw new Fault(`${from} holds no backup`, 'Name a folder that backup create has made.');
  }
}

/** The restored database, up to date and held before it is where a process of the service reaches it. */
async function holdRestored(dataDir: string, restoredTo: string): Promise<void> {
  const server = await startEmbedded({ dataDir });
  try {
    await migrate(server.url);
    await withClient(server.url, async (client) => {
      const now = instantOf(Date.now());
      const begun = await beginRestore(client, { cause: 'command', restoredTo, by: by(), now });
      await holdTenants(client, begun.version_floor);
    });
  } finally {
    await server.stop();
  }
}

export const operations = {
  /** The faults of the backups of the database. */
  async check(deployment: Deployment) {
    const { pool, control } = await deployment.database();
    const state = await readBackupState(pool, control);
    const faults = backupFaults(state, deployment.settings.databaseUrl !== null);
    return { ok: faults.length === 0, ...state, faults };
  },

  /** For the program that makes base backups, and for whoever tries one. */
  async note(deployment: Deployment, { what, place }: { what: BackupEvent; place: string }) {
    const { control, clocks } = await deployment.database();
    const at = instantOf(clocks.realNow());
    await noteBackup(control, { what, place, at, by: by() });
    return { what, place, at };
  },

  /** A copy of the embedded server's database, while it runs. */
  async create(deployment: Deployment, { to }: { readonly to: string }) {
    assertEmbedded(deployment);
    const { control } = await deployment.database();
    const place = resolve(to);
    if (await exists(place)) throw new Fault(`${place} exists`, 'Name a folder that is not there.');
    const { dataDir } = deployment.settings;
    const home = await findHome(dataDir);
    if (!home) throw new Fault(`no database is in ${dataDir}`, 'Start the service with npm start.');
    await mkdir(dirname(place), { recursive: true });
    await backUpHome(urlOf(await findDatabase(dataDir), 'postgres'), home.folder, place);
    const made_at = instantOf(Date.now());
    await writeFile(join(place, manifest), `${JSON.stringify({ made_at })}\n`, { mode: 0o600 });
    await noteBackup(control, { what: 'made', place, at: made_at, by: by() });
    return { place, made_at };
  },

  /** Puts such a copy in the place of the database, and holds what would leave the service. */
  async restore(deployment: Deployment, { from }: { readonly from: string }) {
    assertEmbedded(deployment);
    const made_at = await madeAt(resolve(from));
    const { dataDir } = deployment.settings;
    const kept = await replaceHome(dataDir, resolve(from), instantOf(Date.now()), (beside) =>
      holdRestored(beside, made_at),
    );
    return { restored_to: made_at, kept };
  },
};
