import type { ServiceDatabase } from '../../service/db/embedded_running.ts';
import { openDatabase } from '../database.ts';
import { openOwnDriver } from './own_driver.ts';
import { openPgbench } from './pgbench.ts';
import { type Reference, referenceDatabase } from './reference.ts';

/** Creates and fills the reference's database on the service's server. */
export async function openReference(database: ServiceDatabase): Promise<Reference> {
  const client = await openDatabase(database, 'postgres');
  await client.query(`create database ${referenceDatabase}`);
  await client.end();
  return openPgbench(database) ?? (await openOwnDriver(database));
}
