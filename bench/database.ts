import type pg from 'pg';
import { openClient } from '../engine/database/pool.ts';
import { SOCKET_PORT } from '../service/db/embedded_process.ts';
import { type ServiceDatabase, urlOf } from '../service/db/embedded_running.ts';

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
