import type pg from 'pg';
import { findDatabase } from '../../service/db/embedded_running.ts';
import { openDatabase } from '../database.ts';
import { startService } from '../service_process.ts';

const shownStatements = 20;
const shownCharacters = 110;

/** Starts and stops the service once, so that PostgreSQL counts its statements from the next start. */
export async function preloadStatements(dataDir: string): Promise<void> {
  const service = await startService({ dataDir });
  const client = await openDatabase(await findDatabase(dataDir), 'postgres');
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.end();
  await service.stop();
}

export async function resetStatements(client: pg.Client): Promise<void> {
  await client.query('create extension if not exists pg_stat_statements');
  await client.query('select pg_stat_statements_reset()');
}

/** The statements that took longest since the reset, for each of so many operations. */
export async function topStatements(client: pg.Client, operations: number): Promise<string[]> {
  const { rows } = await client.query<{ micros: number; bytes: number; text: string }>(
    `select total_exec_time * 1000 / $1::float8 as micros, wal_bytes::float8 / $1::float8 as bytes,
       left(regexp_replace(query, '\\s+', ' ', 'g'), ${shownCharacters}) as text
     from pg_stat_statements order by total_exec_time desc limit ${shownStatements}`,
    [operations],
  );
  return rows.map(
    ({ micros, bytes, text }) =>
      `${micros.toFixed(1).padStart(6)} us ${bytes.toFixed(0).padStart(5)} bytes  ${text}`,
  );
}
