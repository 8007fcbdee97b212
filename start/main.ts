import { writeSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { banner } from '../service/banner.ts';
import { cellsToMigrate, migrateCell } from '../service/cells/migrate_cells.ts';
import { isAway } from '../service/cells/peers.ts';
import { type Config, ConfigError } from '../service/config/config.ts';
import { loadConfig } from '../service/config/secrets.ts';
import { type EmbeddedServer, startEmbedded } from '../service/db/embedded.ts';
import { makeServiceLogin } from '../service/db/service_role.ts';
import { type Listener, listen } from '../service/http/listen.ts';
import { openLog } from '../service/log.ts';
import { listenForMetrics, type MetricsListener } from '../service/operations/metrics_listener.ts';
import type { Running } from '../service/run.ts';
import { sandboxFile } from '../service/tenants/files.ts';
import { openShopFront, type ShopFront } from './shop.ts';

type Log = (line: string) => void;

/** Time limits for open requests and for the whole stop: less than supervisors usually wait. */
const drainMs = 10_000;
const stopWithinMs = 25_000;

/** What this process has opened so far. */
interface Open {
  listener?: Listener;
  metrics?: MetricsListener;
  embedded?: EmbeddedServer;
  running?: Running;
  shop?: ShopFront;
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
      await migrateCell(cell);
    } catch (error) {
      if (!isAway(error) || cell.name === null || !config.remoteCells.has(cell.name)) throw error;
      away.add(cell.name);
      log(`${cell.name} cannot be reached; it is served once it can: ${reasonOf(error)}`);
    }
  const migrateOne = async (name: string) => {
    const cell = cells.find((one) => one.name === name);
    if (cell) await migrateCell(cell);
  };
  return { away, migrateCell: migrateOne };
}

/** Loads the service's modules, which is a quarter of a start. */
const loadService = () => import('../service/run.ts');

/**
 * Loading leaves the event loop no turn: an embedded server is spawned before it, and starts meanwhile.
 * @returns the migrated database, as the service's own login reaches it, and its cells
 */
async function openDatabase(open: Open, config: Config, log: Log) {
  const { databaseUrl, migrationDatabaseUrl, dataDir } = config;
  if (databaseUrl === null) {
    open.embedded = await startEmbedded({ dataDir, restarts: true, log, onWait: loadService });
    const { url } = open.embedded;
    // Both mostly wait for PostgreSQL.
    const work = [migrateCells(config, url, log), makeServiceLogin(url)] as const;
    const [cells, login] = await Promise.all(work);
    return { databaseUrl: login, ...cells };
  }
  void loadService();
  try {
    const cells = await migrateCells(config, migrationDatabaseUrl ?? databaseUrl, log);
    return { databaseUrl, ...cells };
  } catch (error) {
    const setting = migrationDatabaseUrl === null ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
    throw new Error(`${setting}: ${reasonOf(error)}`);
  }
}

/** Starts everything. @throws the reason, as one line for the operator */
async function start(open: Open): Promise<void> {
  const loaded = await loadConfig(process.env);
  const log = openLog(loaded.logLevel);
  const isHttps = loaded.environment === 'production' || /^https:/i.test(loaded.publicUrl);
  if (loaded.roles.has('api')) open.listener = await listen(loaded.hosts, loaded.port, { isHttps });
  open.metrics = await listenForMetrics(loaded, log);
  const config = withPort(loaded, open.listener?.port ?? loaded.port);
  const databases = await openDatabase(open, config, (line) => log.warn(line));
  const { runService } = await loadService();
  if (config.environment === 'sandbox' && config.shop !== 'off')
    open.shop = openShopFront(log, { forAll: config.shop === 'all' });
  const answer = (service: RequestListener) =>
    open.listener?.use(open.shop?.inFrontOf(service) ?? service);
  open.running = await runService(config, { ...databases, log }, answer);
  const { facts, vitals } = open.running;
  open.metrics.use(vitals);
  if (facts === null) return;
  open.shop?.open(facts);
  const tookMs = process.uptime() * 1_000;
  writeSync(process.stdout.fd, banner(facts, sandboxFile(config.dataDir), tookMs));
}

/**
 * Lets work in progress end, then closes everything in the order of its dependencies. Workers stop
 * while requests are still answered: a request may wait for a clock advance, which ends with its
 * step.
 */
async function stop({ listener, metrics, running, embedded, shop }: Open): Promise<void> {
  shop?.close();
  await Promise.all([listener?.close(drainMs), running?.rest()]);
  await running?.stop();
  await metrics?.close();
  await embedded?.stop();
}

/** @throws when the stop takes too long; the process then exits by itself */
async function stopInTime(open: Open): Promise<void> {
  const late = async () => {
    await sleep(stopWithinMs, undefined, { ref: false });
    throw new Error(`The stop took longer than ${stopWithinMs / 1_000} s and was cut short.`);
  };
  await Promise.race([stop(open), late()]);
}

/** The reason why a start failed, one line for each fault. */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
const stopRequested = new Promise<void>((resolve) => {
  let isRequested = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (isRequested) process.exit(1);
      isRequested = true;
      resolve();
    });
});

async function main(): Promise<void> {
  const open: Open = {};
  try {
    await start(open);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    await stop(open).catch(() => {});
    process.exit(1);
  }
  await stopRequested;
  try {
    await stopInTime(open);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  }
}

void main();
