import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findHome } from './embedded_place.ts';
import { readPostmasterFile, SOCKET_PORT } from './embedded_process.ts';

/** The PostgreSQL that a running service keeps in its DATA_DIR. */
export interface ServiceDatabase {
  readonly postmasterPid: number;
  /** The folder of its socket; libpq and pg take it as a host. */
  readonly socketFolder: string;
  readonly password: string;
}

/** @throws when no server runs there */
export async function findDatabase(dataDir: string): Promise<ServiceDatabase> {
  const home = await findHome(dataDir);
  const running = home && (await readPostmasterFile(join(home.folder, 'cluster')));
  if (!home || !running?.socketFolder) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  const password = await readFile(join(home.folder, 'password'), 'utf8');
  return { postmasterPid: running.pid, socketFolder: running.socketFolder, password };
}

/** A connection string, for pg and libpq alike. */
export function urlOf({ socketFolder, password }: ServiceDatabase, name: string): string {
  const query = new URLSearchParams({ host: socketFolder });
  return `postgresql://postgres:${password}@localhost:${SOCKET_PORT}/${name}?${query}`;
}
