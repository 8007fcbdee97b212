import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { findHome } from '../service/db/embedded_place.ts';
import { readPostmasterFile, SOCKET_PORT } from '../service/db/embedded_process.ts';

/** The PostgreSQL that a running service keeps in its DATA_DIR. */
export interface ServiceDatabase {
  readonly postmasterPid: number;
  /** The folder of its socket, which libpq and pg both take as a host. */
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

export const connectionTo = (database: ServiceDatabase, name: string): pg.ClientConfig => ({
  host: database.socketFolder,
  port: SOCKET_PORT,
  user: 'postgres',
  password: database.password,
  database: name,
});

export async function openDatabase(database: ServiceDatabase, name: string): Promise<pg.Client> {
  const client = new pg.Client(connectionTo(database, name));
  await client.connect();
  return client;
}

/** libpq's environment for programs such as pgbench. */
export const libpqEnvironment = (database: ServiceDatabase, name: string) => ({
  PATH: process.env.PATH,
  PGHOST: database.socketFolder,
  PGPORT: String(SOCKET_PORT),
  PGUSER: 'postgres',
  PGPASSWORD: database.password,
  PGDATABASE: name,
});
