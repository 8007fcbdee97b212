import { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { adapterSettings } from '../../adapters/settings.ts';
import { keySecrets } from '../../backoffice/people/sign_in/stored_secrets.ts';
import { type Engine, startEngine } from '../../engine/batch/engine.ts';
import { kyselyDialect } from '../../engine/database/again.ts';
import { inSchema } from '../../engine/database/cell.ts';
import { openPool } from '../../engine/database/pool.ts';
import { inTransaction } from '../../engine/database/transaction.ts';
import { faultFacts } from '../../engine/fault.ts';
import { openClocks } from '../../engine/time/clock.ts';
import { tellAudit } from '../../engine/write/append_audit.ts';
import { cellsToMigrate } from '../../fleet/migrate_cells.ts';
import type { Owners } from '../../fleet/move/owners.ts';
import { withPlacement } from '../../fleet/placement.ts';
import { type CellToMigrate, migratedCells, servedCells } from '../../fleet/served.ts';
import { type Config, type ParsedConfig, parseConfig } from '../../service/config/config.ts';
import { keyChecks } from '../../service/config/key_rings.ts';
import { completeConfig } from '../../service/config/secrets.ts';
import type { Database } from '../../service/database.ts';
import { findDatabase, urlOf } from '../../service/db/embedded_running.ts';
import { proveIdentity } from '../../service/db/identity.ts';
import { waitingMigrations } from '../../service/db/migration_plan.ts';
import { openServiceLogin } from '../../service/db/service_login.ts';
import { asServiceRole, controlSchema } from '../../service/db/service_role.ts';
import { redactedValue } from '../../service/http/log/redact.ts';
import { openServiceVault } from '../../service/keys/index_key.ts';
import { openLog } from '../../service/log.ts';
import { openRevival } from '../../service/resources/sessions/revive.ts';
import type { Service } from '../../service/service.ts';
import { Fault } from './fault.ts';

/** Counting or verifying a whole database takes this long at most. */
const statementTimeoutMs = 600_000;
const poolSize = 2;

/** The migrated database of the settings, as the service's login reaches it. */
export type OpenDatabase = Pick<Service, 'db' | 'pool' | 'control' | 'config' | 'clocks'>;

/** The parts that a change of the deployment needs: the settings are those that its database knows. */
export type Parts = OpenedDatabase & Pick<Service, 'vault' | 'environment'>;

type OpenedDatabase = OpenDatabase & {
  readonly url: string;
  /** The database where rows of the platform are written; null: that of Tenants. */
  readonly platformUrl: string | null;
};

/** The deployment that the environment names. Nothing listens, and no worker runs. */
export interface Deployment {
  readonly settings: ParsedConfig;
  readonly log: Logger;
  /**
   * The address at which the owner of the tables reaches the cell that commands work on: the first that `CELLS` names.
   */
  ownerUrl(): Promise<string>;
  /** How `tenants move` reaches the cells: as the owners of their tables. */
  owners(): Promise<Owners>;
  /** The same as `ownerUrl` for each cell that `CELLS` names, those of the database of control first. */
  cellsToMigrate(): Promise<readonly CellToMigrate[]>;
  /** @throws Fault when migrations wait; what the database throws */
  database(): Promise<OpenDatabase>;
  /** The databases of all cells that `CELLS` names, the same one first. @throws also when one of them is away */
  databases(): Promise<readonly [OpenDatabase, ...OpenDatabase[]]>;
  /** @throws also when environment or keys are others than the database was used with */
  parts(): Promise<Parts>;
  /** Opened for the first command. Without a judge: the command line needs nobody else (rules/approvals#12). */
  engine(): Promise<Engine>;
  /** The same of another cell. @param cell as `cellsToMigrate` names it */
  engineIn(cell: string | null): Promise<Engine>;
  /** The same for commands of the platform: another one only where control is another server's. */
  platformEngine(): Promise<Engine>;
  close(): Promise<void>;
}

/** @throws when no service runs on the sandbox's own database */
async function databaseUrlOf({ databaseUrl, dataDir }: ParsedConfig): Promise<string> {
  if (databaseUrl !== null) return databaseUrl;
  const found = await findDatabase(dataDir).catch((error: Error) => {
    throw new Fault(error.message, 'Start the service with `npm start`, or set DATABASE_URL.');
  });
  return urlOf(found, 'postgres');
}

const baseUrlOf = async (settings: ParsedConfig): Promise<string> =>
  settings.migrationDatabaseUrl ?? databaseUrlOf(settings);

type DatabaseOfCell = Pick<CellToMigrate, 'url' | 'controlUrl'>;

/** The cell that commands work on, as the service's login reaches it. */
function firstCell({ cells: [cell], remoteCells }: ParsedConfig, url: string): DatabaseOfCell {
  if (cell === undefined) return { url, controlUrl: null };
  const remote = remoteCells.get(cell);
  return {
    url: inSchema(remote?.databaseUrl ?? url, cell),
    controlUrl: remote ? url : null,
  };
}

/** The cells that the settings name besides the first, as the service's login reaches them. */
async function cellsBesides(
  settings: ParsedConfig,
  url: string,
): Promise<ReadonlyMap<string, DatabaseOfCell>> {
  const placed = await withPlacement({ ...settings, workerCells: null }, url);
  const [, ...further] = servedCells(placed, url);
  return new Map(
    further.map(({ cell, databaseUrl, controlUrl }) => [
      cell ?? '',
      { url: databaseUrl, controlUrl },
    ]),
  );
}

/** @throws Fault when it has not all that this release brings */
async function proveMigrated(url: string): Promise<void> {
  const waiting = await waitingMigrations(url);
  if (waiting.length > 0)
    throw new Fault(
      `the database lacks migrations of this release: ${waiting.join(', ')}`,
      'Apply them: npm run cli -- migrate --dry-run, then migrate.',
    );
}

async function openDatabase(
  config: Config,
  { url, controlUrl }: DatabaseOfCell,
): Promise<OpenedDatabase> {
  await proveMigrated(url);
  const { url: login, fault } = await openServiceLogin(url);
  // The embedded server is reached as its superuser, whose sessions take the service's role.
  if (fault !== null && config.environment === 'production' && config.databaseUrl !== null)
    throw new Error(`DATABASE_URL: ${fault}`);
  const pool = openPool(login, { max: poolSize, statementTimeoutMs });
  const db = new Kysely<Database>({ dialect: kyselyDialect(pool) });
  const control =
    controlUrl === null
      ? pool
      : openPool(asServiceRole(controlUrl), { max: poolSize, statementTimeoutMs });
  const platformUrl = controlUrl && inSchema(asServiceRole(controlUrl), controlSchema);
  return { url: login, platformUrl, config, pool, control, db, clocks: openClocks(Date.now) };
}

/** No job and no idempotency key comes through it; what it commits is told as the service tells it. */
function engineOf({ url, db, vault, clocks, environment }: Parts, log: Logger): Engine {
  const engine = startEngine({
    databaseUrl: url,
    environment,
    clocks,
    seal: vault.seal,
    newSecret: vault.newSecret,
    revive: openRevival(db, vault, clocks),
    redact: (value) => redactedValue(value, true),
    onAlarm: (message, error) => log.error({ alarm: 'command', fault: faultFacts(error) }, message),
  });
  engine.onCommit(({ staged }) => tellAudit(log, staged.audited));
  return engine;
}

/** @throws ConfigError with every fault of the settings */
export function openDeployment(env: NodeJS.ProcessEnv): Deployment {
  const settings = parseConfig(env, adapterSettings);
  // Whoever sits at a terminal reads the command's own words (`cli/main.ts`).
  const isQuiet = env.AT_TERMINAL === '1' && !env.LOG_LEVEL;
  const log = openLog(isQuiet ? 'warn' : settings.logLevel);
  let opened: ReturnType<typeof openDatabase> | null = null;
  let started: Promise<Engine> | null = null;
  let ofPlatform: Promise<Engine> | null = null;
  const inOthers = new Map<string, Promise<Engine>>();
  const others = new Map<string, OpenedDatabase>();

  async function open() {
    // Before the secrets: a folder where no sandbox has run is given none.
    const cell = firstCell(settings, await databaseUrlOf(settings));
    return openDatabase(await completeConfig(settings), cell);
  }
  const database = () => {
    opened ??= open();
    return opened;
  };
  async function partsOf(found: OpenedDatabase): Promise<Parts> {
    const { config, pool, clocks } = found;
    await inTransaction(pool, (client) =>
      proveIdentity(client, config.environment, keyChecks(config)),
    );
    const vault = await openServiceVault(pool, config.sealingKeys, clocks.realNow);
    await keySecrets(found.control, vault);
    return { ...found, vault, environment: config.environment };
  }

  const parts = async () => partsOf(await database());

  const furtherCells = async () => cellsBesides(settings, await databaseUrlOf(settings));

  async function openFurther(name: string, cell: DatabaseOfCell): Promise<OpenedDatabase> {
    const found = others.get(name) ?? (await openDatabase((await database()).config, cell));
    others.set(name, found);
    return found;
  }

  async function openIn(name: string): Promise<Engine> {
    const cell = (await furtherCells()).get(name);
    if (!cell) throw new Error(`the settings name no cell ${name}`);
    return engineOf(await partsOf(await openFurther(name, cell)), log);
  }

  function engine(): Promise<Engine> {
    started ??= parts().then((found) => engineOf(found, log));
    return started;
  }

  return {
    settings,
    log,
    async ownerUrl() {
      const base = await baseUrlOf(settings);
      return (await cellsToMigrate(settings, base))[0]?.url ?? base;
    },
    async owners() {
      const control = await baseUrlOf(settings);
      const remote = migratedCells(settings, control).filter(
        ({ controlUrl }) => controlUrl !== null,
      );
      return { control, remote: new Map(remote.map(({ name, url }) => [name ?? '', url])) };
    },
    async cellsToMigrate() {
      return cellsToMigrate(settings, await baseUrlOf(settings));
    },
    database,
    async databases() {
      const all: [OpenDatabase, ...OpenDatabase[]] = [await database()];
      for (const [name, cell] of await furtherCells()) all.push(await openFurther(name, cell));
      return all;
    },
    parts,
    engine,
    engineIn(cell) {
      if (cell === null || cell === settings.cells[0]) return engine();
      const known = inOthers.get(cell) ?? openIn(cell);
      inOthers.set(cell, known);
      return known;
    },
    platformEngine() {
      ofPlatform ??= parts().then(({ platformUrl: url, ...found }) =>
        url === null ? engine() : engineOf({ ...found, platformUrl: url, url }, log),
      );
      return ofPlatform;
    },
    async close() {
      const begun = [started, ofPlatform, ...inOthers.values()];
      const engines = await Promise.all(begun.map((one) => one?.catch(() => null)));
      await Promise.all([...new Set(engines)].map((one) => one?.stop()));
      const first = await opened?.catch(() => null);
      for (const { pool, control } of first ? [first, ...others.values()] : []) {
        // Not by Kysely, which leaves a pool open that it has not used: the process would wait for it.
        await pool.end();
        if (control !== pool) await control.end();
      }
    },
  };
}
