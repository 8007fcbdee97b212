import { Kysely } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { keySecrets } from '../backoffice/people/sign_in/stored_secrets.ts';
import { kyselyDialect } from '../engine/database/again.ts';
import { inSchema, usualSchema } from '../engine/database/cell.ts';
import { type Address, addressNow, openClient, openPool } from '../engine/database/pool.ts';
import type { Config } from '../service/config/config.ts';
import { keyChecks } from '../service/config/key_rings.ts';
import type { Database } from '../service/database.ts';
import { proveIdentity } from '../service/db/identity.ts';
import { loginFault, serviceUrl } from '../service/db/service_login.ts';
import { asServiceRole, controlSchema, takeRole } from '../service/db/service_role.ts';
import { openServiceVault } from '../service/keys/index_key.ts';
import { type DatabaseClock, databaseTime } from '../service/operations/database_clock.ts';
import { proveQrKey } from '../service/resources/payment_requests/revoked_qr_keys.ts';
import type { Service } from '../service/service.ts';

const poolSize = 10;
/** The 6 CSV files that are sent at a time (rules/reports#23), and 2 for what is read at once. */
const downloadPoolSize = 8;
/** The pool size of a remote cell's control, for people and alarms alone. */
const controlPoolSize = 3;
const statementTimeoutMs = 10_000;

/** The addresses that lead to the database of a cell. */
export interface DatabaseUrls {
  /** A migrated database, as the service's login reaches it. */
  readonly databaseUrl: Address;
  /** The database of control, as the service's login reaches it; absent or null: the same one. */
  readonly controlUrl?: string | null;
}

interface Surroundings {
  readonly log: Pick<Logger, 'warn'>;
  readonly databaseClock: DatabaseClock;
}

type Opened = Pick<
  Service,
  'cell' | 'pool' | 'downloadPool' | 'control' | 'isRemote' | 'db' | 'vault'
>;
type Databases = Opened & {
  readonly databaseUrl: Address;
  /** The database in which the engine of the platform works; null: that of the cell. */
  readonly platformUrl: Address | null;
};

const cellSql = `select current_schema() as cell, ${databaseTime} as at,
  exists (select from pg_class where oid = to_regclass('control.tenants') and relkind = 'f') as "isRemote"`;

/** The schema that a connection's settings name. @throws one line where control is in another database */
async function cellOf(
  pool: pg.Pool,
  controlUrl: string | null,
  clock: DatabaseClock,
): Promise<string> {
  const ask = () => pool.query<{ cell: string; at: number; isRemote: boolean }>(cellSql);
  const { rows } = await clock.measure(ask, ({ rows: [row] }) => row?.at ?? Number.NaN);
  const [{ cell, isRemote } = { cell: usualSchema, isRemote: false }] = rows;
  if (isRemote && controlUrl === null)
    throw new Error(
      `DATABASE_URL: ${cell} is a remote cell; name it in CELLS, and its database in DATABASE_URL_${cell.toUpperCase()}`,
    );
  return cell;
}

const ofSetting = (error: unknown) =>
  new Error(`DATABASE_URL: ${(error as Error).message}`, { cause: error });

/** A connection as the login that the service is given, in the service's role, and the address for all others. */
async function openLogin(address: Address): Promise<{ login: pg.Client; databaseUrl: Address }> {
  const loginUrl = addressNow(address);
  const login = await openClient(loginUrl);
  try {
    const url = await serviceUrl(login, loginUrl);
    if (url === loginUrl) return { login, databaseUrl: address };
    await takeRole(login);
    const isFixed = typeof address === 'string';
    return { login, databaseUrl: isFixed ? url : () => asServiceRole(address()) };
  } catch (error) {
    await login.end();
    throw error;
  }
}

/** @throws one line when the ledger is not safe from the login, or the database is not this deployment's */
async function prove(login: pg.Client, config: Config, log: Pick<Logger, 'warn'>): Promise<void> {
  const fault = await loginFault(login).catch((error) => {
    throw ofSetting(error);
  });
  const { environment } = config;
  if (fault !== null && environment === 'production') throw new Error(`DATABASE_URL: ${fault}`);
  if (fault !== null) log.warn(fault);
  await login.query('begin');
  await proveIdentity(login, environment, keyChecks(config));
  await login.query('commit');
}

/**
 * Opens the pools of a cell, and the vault whose key lies there. What takes connections of its own goes side by
 * side: each takes up to 40 ms of a start.
 * @throws when its database is not there, or not this deployment's
 */
export async function openDatabases(
  { databaseUrl: loginUrl, controlUrl = null }: DatabaseUrls,
  config: Config,
  { log, databaseClock }: Surroundings,
): Promise<Databases> {
  const { login, databaseUrl } = await openLogin(loginUrl).catch((error) => {
    throw ofSetting(error);
  });
  const open = (url: Address, max: number) => openPool(url, { max, statementTimeoutMs });
  const pool = open(databaseUrl, poolSize);
  const db = new Kysely<Database>({ dialect: kyselyDialect(pool) });
  const isRemote = controlUrl !== null;
  try {
    const [cell] = await Promise.all([
      cellOf(pool, controlUrl, databaseClock),
      prove(login, config, log),
      proveQrKey(db, config.qrSigningKeys),
    ]);
    const vault = await openServiceVault(pool, config.sealingKeys, databaseClock.now);
    await keySecrets(pool, vault);
    return {
      cell,
      pool,
      databaseUrl,
      platformUrl: isRemote ? inSchema(asServiceRole(controlUrl), controlSchema) : null,
      vault,
      downloadPool: open(databaseUrl, downloadPoolSize),
      control: isRemote ? open(asServiceRole(controlUrl), controlPoolSize) : pool,
      isRemote,
      db,
    };
  } catch (error) {
    await pool.end();
    throw error;
  } finally {
    // Uncommitted work goes with the connection.
    login.end().catch(() => {});
  }
}

export async function closeDatabases({
  downloadPool,
  control,
  isRemote,
  db,
}: Pick<Opened, 'downloadPool' | 'control' | 'isRemote' | 'db'>): Promise<void> {
  await downloadPool.end();
  if (isRemote) await control.end();
  // Ends the pool too.
  await db.destroy();
}
