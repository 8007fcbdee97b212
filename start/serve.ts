import { writeSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { assert } from '../engine/fail.ts';
import type { Tracing } from '../engine/trace.ts';
import { cellsToMigrate, migrateCell } from '../fleet/migrate_cells.ts';
import { sessionFaults } from '../fleet/prove_sessions.ts';
import { isAway } from '../service/cells/peers.ts';
import { warningsOf } from '../service/config/careless.ts';
import type { Config } from '../service/config/config.ts';
import type { EmbeddedServer } from '../service/db/embedded.ts';
import { makeServiceLogin } from '../service/db/service_role.ts';
import { type Listener, listen } from '../service/http/listen.ts';
import { findPort } from '../service/http/port.ts';
import { openLog } from '../service/log.ts';
import { listenForMetrics, type MetricsListener } from '../service/operations/metrics_listener.ts';
import { sandboxFile } from '../service/tenants/files.ts';
import { banner } from './banner.ts';
import { reasonOf } from './reason.ts';
import { type Running, runService } from './run.ts';
import { openShopFront, type ShopFront } from './shop.ts';
import { startFacts } from './start_facts.ts';
import { openTracing } from './tracing.ts';

type Log = (line: string) => void;

/** The parts that this process has opened so far. */
export interface Open {
  listener?: Listener;
  metrics?: MetricsListener;
  tracing?: Tracing;
  /** The embedded server, which may still be starting. */
  embedded?: Promise<EmbeddedServer>;
  running?: Running;
  shop?: ShopFront;
  /** Takes one line for the operator. */
  warn?: Log;
}

/** The settings once the port is known: 0 asks for any. */
function withPort(config: Config, port: number): Config {
  const isDefault = config.publicUrl === `http://localhost:${config.port}`;
  return { ...config, port, publicUrl: isDefault ? `http://localhost:${port}` : config.publicUrl };
}

/**
 * One after the other: they share the schema control.
 * @returns what `runService` is told of remote cells that are away
 */
async function migrateCells(config: Config, url: string, log: Log) {
  const away = new Set<string>();
  const cells = await cellsToMigrate(config, url);
  for (const cell of cells)
    try {
      await migrateCell(cell, log);
    } catch (error) {
      if (!isAway(error) || cell.name === null || !config.remoteCells.has(cell.name)) throw error;
      away.add(cell.name);
      log(`${cell.name} cannot be reached; it is served once it can: ${reasonOf(error)}`);
    }
  const migrateOne = async (name: string) => {
    const cell = cells.find((one) => one.name === name);
    if (cell) await migrateCell(cell, log);
  };
  return { away, migrateCell: migrateOne };
}

/** @returns the migrated database, as the service's own login reaches it, and its cells */
async function openDatabase(open: Open, config: Config, log: Log) {
  const { databaseUrl, migrationDatabaseUrl } = config;
  if (databaseUrl === null) {
    const embedded = await open.embedded;
    assert(embedded, 'without another database the embedded one is started');
    const { url } = embedded;
    // Both mostly wait for PostgreSQL.
    const work = [migrateCells(config, url, log), makeServiceLogin(url)] as const;
    const [cells, login] = await Promise.all(work);
    return { databaseUrl: login, ...cells };
  }
  const faults = await sessionFaults(config, databaseUrl, { atStart: true });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  try {
    const cells = await migrateCells(config, migrationDatabaseUrl ?? databaseUrl, log);
    return { databaseUrl, ...cells };
  } catch (error) {
    const setting = migrationDatabaseUrl === null ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
    throw new Error(`${setting}: ${reasonOf(error)}`);
  }
}

function openApi(config: Config, handler: RequestListener): Promise<Listener> {
  const isHttps = config.environment === 'production' || /^https:/i.test(config.publicUrl);
  return listen(config.hosts, config.port, { isHttps, handler });
}

/** Starts everything but the embedded server. The API's port opens last. @throws the reason, as one line */
export async function serve(open: Open, loaded: Config): Promise<void> {
  const log = openLog(loaded.logLevel);
  const warn: Log = (line) => log.warn(line);
  open.warn = warn;
  if (loaded.environment === 'production') for (const line of warningsOf(Date.now())) warn(line);
  const isApi = loaded.roles.has('api');
  const port = isApi ? await findPort(loaded.hosts, loaded.port) : loaded.port;
  open.metrics = await listenForMetrics(loaded, log);
  open.tracing = await openTracing(loaded, log);
  const config = withPort(loaded, port);
  const databases = await openDatabase(open, config, warn);
  if (config.environment === 'sandbox' && config.shop !== 'off')
    open.shop = openShopFront(log, { forAll: config.shop === 'all' });
  open.running = await runService(config, { ...databases, log, tracing: open.tracing });
  const { sandbox, vitals, handler } = open.running;
  if (isApi) open.listener = await openApi(config, open.shop?.inFrontOf(handler) ?? handler);
  open.metrics.use(vitals);
  log.info(startFacts(config, open.metrics.port), 'the service has started');
  if (sandbox === null) return;
  open.shop?.open(sandbox.facts);
  const tookMs = process.uptime() * 1_000;
  writeSync(process.stdout.fd, banner(sandbox, sandboxFile(config.dataDir), tookMs));
}
