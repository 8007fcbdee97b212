import { openDatabase, type ServiceDatabase } from '../database.ts';
import { openOwnDriver } from './own_driver.ts';
import { openPgbench } from './pgbench.ts';
import { type Reference, referenceDatabase } from './reference.ts';

/** Makes the reference's database beside the service's own, on the same server, and fills it. */
export async function openReference(database: ServiceDatabase): Promise<Reference> {
  const client = await openDatabase(database, 'postgres');
  await client.query(`create database ${referenceDatabase}`);
  await client.end();
  return openPgbench(database) ?? (await openOwnDriver(database));
}
