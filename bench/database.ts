import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { findHome } from '../service/db/embedded_place.ts';
import { readPostmasterFile, SOCKET_PORT } from '../service/db/embedded_process.ts';
import { openClient } from '../service/db/pool.ts';

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

export const openDatabase = (database: ServiceDatabase, name: string): Promise<pg.Client> =>
  openClient(urlOf(database, name));

/** libpq's environment for programs such as pgbench. */
export const libpqEnvironment = (database: ServiceDatabase, name: string) => ({
  PATH: process.env.PATH,
  PGHOST: database.socketFolder,
  PGPORT: String(SOCKET_PORT),
  PGUSER: 'postgres',
  PGPASSWORD: database.password,
  PGDATABASE: name,
});
