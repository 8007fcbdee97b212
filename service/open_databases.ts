import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { keyChecks } from './config/key_rings.ts';
import { usualSchema } from './db/cell.ts';
import { proveIdentity } from './db/identity.ts';
import { type Address, addressNow, openPool } from './db/pool.ts';
import { openServiceLogin } from './db/service_login.ts';
import { asServiceRole } from './db/service_role.ts';
import type { Database } from './resources/database.ts';
import type { Service } from './service.ts';

const poolSize = 10;
/** The 6 CSV files that are sent at a time (rules/reports#23), and 2 for what is read at once. */
const downloadPoolSize = 8;
/** Of a remote cell, for people and alarms alone. */
const controlPoolSize = 3;
const statementTimeoutMs = 10_000;

/** What leads to the database of a cell. */
export interface DatabaseUrls {
  /** A migrated database, as the service's login reaches it. */
  readonly databaseUrl: Address;
  /** The database of control, as the service's login reaches it; absent or null: the same one. */
  readonly controlUrl?: string | null;
}

type Databases = Pick<Service, 'cell' | 'pool' | 'downloadPool' | 'control' | 'isRemote' | 'db'> & {
  readonly databaseUrl: Address;
};

const cellSql = `select current_schema() as cell,
  exists (select from pg_class where oid = to_regclass('control.tenants') and relkind = 'f') as "isRemote"`;

/** The schema that a connection's settings name. @throws one line where control is in another database */
async function cellOf(pool: pg.Pool, controlUrl: string | null): Promise<string> {
  const { rows } = await pool.query<{ cell: string; isRemote: boolean }>(cellSql);
  const [{ cell, isRemote } = { cell: usualSchema, isRemote: false }] = rows;
  if (isRemote && controlUrl === null)
    throw new Error(
      `DATABASE_URL: ${cell} is a remote cell; name it in CELLS, and its database in DATABASE_URL_${cell.toUpperCase()}`,
    );
  return cell;
}

/** @throws one line when the login is none of the service's */
async function proveLogin(
  address: Address,
  { environment }: Config,
  log: Pick<Logger, 'warn'>,
): Promise<Address> {
  const loginUrl = addressNow(address);
  const { url, fault } = await openServiceLogin(loginUrl).catch((error) => {
    throw new Error(`DATABASE_URL: ${(error as Error).message}`, { cause: error });
  });
  if (fault !== null && environment === 'production') throw new Error(`DATABASE_URL: ${fault}`);
  if (fault !== null) log.warn(fault);
  if (typeof address === 'string') return url;
  return url === loginUrl ? address : () => asServiceRole(address());
}

/** Opens the pools of a cell. @throws when its database is not there, or not this deployment's */
export async function openDatabases(
  { databaseUrl: loginUrl, controlUrl = null }: DatabaseUrls,
  config: Config,
  log: Pick<Logger, 'warn'>,
): Promise<Databases> {
  const databaseUrl = await proveLogin(loginUrl, config, log);
  const open = (url: Address, max: number) => openPool(url, { max, statementTimeoutMs });
  const pool = open(databaseUrl, poolSize);
  const isRemote = controlUrl !== null;
  const [cell] = await Promise.all([
    cellOf(pool, controlUrl),
    proveIdentity(addressNow(databaseUrl), config.environment, keyChecks(config)),
  ]).catch(async (error) => {
    await pool.end();
    throw error;
  });
  return {
    databaseUrl,
    cell,
    pool,
    downloadPool: open(databaseUrl, downloadPoolSize),
    control: isRemote ? open(asServiceRole(controlUrl), controlPoolSize) : pool,
    isRemote,
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
  };
}

export async function closeDatabases({
  downloadPool,
  control,
  isRemote,
  db,
}: Omit<Databases, 'databaseUrl' | 'cell' | 'pool'>): Promise<void> {
  await downloadPool.end();
  if (isRemote) await control.end();
  // Ends the pool too.
  await db.destroy();
}
