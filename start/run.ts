import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { operatorKey } from '../backoffice/tenants/operator.ts';
import { type SandboxStart, sandboxTenant } from '../backoffice/tenants/sandbox_file.ts';
import type { Address } from '../engine/database/pool.ts';
import { assert, unavailable } from '../engine/fail.ts';
import { faultFacts } from '../engine/fault.ts';
import type { RunLoop } from '../engine/loop/run_loop.ts';
import { type Tracing, untraced } from '../engine/trace.ts';
import { openFront } from '../fleet/front.ts';
import { inboundOfCells } from '../fleet/inbound.ts';
import { openPlacement, withPlacement } from '../fleet/placement.ts';
import { provePeers } from '../fleet/prove_peers.ts';
import { openReturning } from '../fleet/returning.ts';
import { type CellSettings, mayPoll, servedCells } from '../fleet/served.ts';
import type { StopsOfCells } from '../fleet/stops.ts';
import { openPeers } from '../service/cells/peers.ts';
import type { Config } from '../service/config/config.ts';
import { type OpenProviders, openProviders } from '../service/inbound/providers/providers.ts';
import { inOneProcess } from '../service/operations/alone.ts';
import { causeOf } from '../service/operations/causes.ts';
import type { Vitals } from '../service/operations/metrics_listener.ts';
import { openReadiness } from '../service/operations/readiness.ts';
import { openScrape } from '../service/operations/scrape.ts';
import { bankCan } from '../service/rails/bank.ts';
import type { Rails } from '../service/rails/rails.ts';
import { proveTimeline } from '../service/restore/watch.ts';
import type { Peers, Service } from '../service/service.ts';
import { buildApp, buildService, closeService } from './app.ts';
import { openRails, sandboxSample, sandboxWeek } from './composition.ts';
import { buildWorkers, type Workers } from './workers.ts';

/** A service at work. */
export interface Running {
  /** The facts that a sandbox prints at its start; null in production, and where no API is served. */
  readonly sandbox: SandboxStart | null;
  readonly vitals: Vitals;
  /** Replies to all requests; the API's port is opened for it. */
  readonly handler: RequestListener;
  /** Says at `/readyz` that requests should go elsewhere, and goes on with all of its work. */
  leave(): void;
  /** Starts no further job or delivery; resolves when those under way have ended. */
  rest(): Promise<void>;
  /** Rests, then ends what workers and requests use. */
  stop(): Promise<void>;
}

/** A cell at work. */
interface OpenCell {
  readonly service: Service;
  readonly rails: Awaited<ReturnType<typeof openRails>>;
  readonly workers: Workers;
  /** The providers, of the first cell alone, for all of the process. */
  readonly providers?: OpenProviders;
  readonly handler: RequestListener;
}

/** A cell whose routes are being made. */
interface OpeningCell extends Omit<OpenCell, 'handler'> {
  readonly handler: Promise<RequestListener>;
}

async function opened(cell: OpeningCell): Promise<OpenCell> {
  const [handler] = await Promise.all([cell.handler, cell.service.engine.connected()]);
  return { ...cell, handler };
}

/** Rests once, however often it is called. */
function resting(
  cells: readonly OpenCell[],
  week: ReturnType<typeof sandboxWeek> | null,
  returning: RunLoop,
): () => Promise<void> {
  let rested: Promise<unknown> | null = null;
  const rest = async () => {
    for (const { rails } of cells) rails.rest?.();
    await returning.stop();
    // Jobs that it has made due are left to the others.
    await week?.stop();
    await Promise.all(
      cells.flatMap(({ workers, providers }) => [
        workers.stop(),
        providers?.polls.stop(),
        providers?.watch.stop(),
      ]),
    );
  };
  return async () => {
    // Those that stay take over this one's share of the limits while it still answers.
    const leaving = () => cells.map(({ service }) => service.processRegistry.stop());
    rested ??= Promise.all([...leaving(), rest()]);
    await rested;
  };
}

interface Context {
  readonly databaseUrl: Address;
  readonly controlUrl?: string | null;
  readonly readUrl?: string | null;
  readonly log: Logger;
  readonly tracing?: Tracing;
}

interface Shared {
  readonly operatorKey: string | null;
  readonly isReady: () => boolean;
  readonly peers: Peers;
  /** Resolves when a Tenant is not being moved between cells. */
  readonly passed: (tenantId: string) => Promise<void>;
}

async function openCell(
  config: Config,
  context: Context,
  { peers, passed, ...parts }: Shared,
): Promise<OpeningCell> {
  const isFirst = peers.open.length === 0;
  const service = await buildService(config, { ...context, peers });
  await proveTimeline(service);
  const rails = await openRails(service);
  const workers = buildWorkers(service, rails);
  const more = isFirst && { providers: openProviders(service, rails, passed) };
  const app = buildApp({ service, workers, rails, ...more, ...parts });
  return { service, rails, workers, ...more, handler: app.then(({ routing }) => routing) };
}

/** Opens a cell beside those that are open. @throws also where one process cannot serve them all */
async function openBeside(peers: Peers, open: () => Promise<OpeningCell>): Promise<OpenCell> {
  const opening = await open();
  const { service } = opening;
  try {
    const cell = await opened(opening);
    provePeers(peers.open);
    await service.processRegistry.start();
    return cell;
  } catch (error) {
    peers.drop(service);
    await closeService(service);
    throw error;
  }
}

/** The facts of a sandbox's first Tenant; null: it may be in a cell that is away. */
async function sandboxOf(service: Service, rails: Rails): Promise<SandboxStart | null> {
  try {
    return await inOneProcess(service.pool, () =>
      sandboxTenant(service, sandboxSample(service, rails)),
    );
  } catch (error) {
    if (service.peers.away.size === 0) throw error;
    const why = { cause: causeOf(error), fault: faultFacts(error) };
    service.log.warn(why, 'the sample Tenant is not shown: a cell is away');
    return null;
  }
}

/** The handler of all requests: a cell by itself, or the front of several (rules/cells#9). */
function answering([first, ...others]: readonly [OpenCell, ...OpenCell[]], isOnly: boolean) {
  return isOnly
    ? { handler: first.handler, stops: null, add: () => {} }
    : openFront([first, ...others]);
}

/** The surroundings in which the service runs. */
export interface Surroundings {
  /** A migrated database, as the service's login reaches it. */
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Absent: no trace is recorded. */
  readonly tracing?: Tracing;
  /** Remote cells that could not be reached to be migrated; absent: none. */
  readonly away?: ReadonlySet<string>;
  /** Migrates one of those. @throws while it cannot be reached */
  readonly migrateCell?: (cell: string) => Promise<void>;
}

/**
 * Runs the service on a migrated database: `/readyz` says so when this resolves, with workers up and a
 * sandbox's sample made. Remote cells that are away then are served once they are there (rules/cells#24).
 */
export async function runService(
  given: Config,
  {
    databaseUrl,
    log,
    tracing = untraced,
    away = new Set(),
    migrateCell = async () => {},
  }: Surroundings,
): Promise<Running> {
  const isSandbox = given.environment === 'sandbox';
  let isReady = false;
  let stops: StopsOfCells | null = null;
  const shared: Shared = {
    operatorKey: isSandbox ? await operatorKey(given.dataDir) : null,
    isReady: () => isReady,
    peers: openPeers(),
    passed: async (tenantId) => stops?.passed(tenantId),
  };
  const { peers } = shared;
  const config = await withPlacement(given, databaseUrl);
  const [settings, ...more] = servedCells(config, databaseUrl);
  assert(settings, 'a process serves a cell');
  const placement = openPlacement(() => peers.open[0]?.pool, log);
  const addressOf = ({ cell, databaseUrl: url, controlUrl }: CellSettings) =>
    config.isOnCitus && cell && controlUrl ? placement.addressOf(cell, url) : url;
  const open = (cell: CellSettings) => {
    const { roles, controlUrl, readUrl } = cell;
    const context = { databaseUrl: addressOf(cell), controlUrl, readUrl, log, tracing };
    return openCell({ ...config, roles }, context, shared);
  };
  const begun = await open(settings);
  const { service, rails } = begun;
  const others: OpenCell[] = [];
  for (const next of more)
    if (next.cell !== null && away.has(next.cell)) peers.leave(next.cell);
    else others.push(await openBeside(peers, () => open(next)));
  // Only a process with the role api can be called at these addresses.
  const tellsFacts = isSandbox && config.roles.has('api');
  const week = tellsFacts && config.sampleWeek ? sandboxWeek(service, rails) : null;
  await service.processRegistry.start();
  // The sample is looked up, or made, while the routes are.
  const told = tellsFacts ? sandboxOf(service, rails) : null;
  const [first, sandbox] = await Promise.all([opened(begun), told]);
  const cells: [OpenCell, ...OpenCell[]] = [first, ...others];
  const { handler, add, ...front } = answering(cells, more.length === 0);
  stops = front.stops;
  stops?.start();
  if (config.isOnCitus) placement.start();
  const startWork = ({ service: cell, workers }: OpenCell) => {
    if (cell.config.roles.has('worker')) workers.start();
  };
  for (const cell of cells) startWork(cell);
  if (mayPoll(config)) first.providers?.polls.start();
  first.providers?.watch.start();
  let scrape = openScrape(...peers.open);
  const returning = openReturning(peers, log, async (name) => {
    const found = more.find(({ cell }) => cell === name);
    if (!found) return;
    await migrateCell(name);
    const cell = await openBeside(peers, () => open(found));
    cells.push(cell);
    add(cell);
    startWork(cell);
    scrape = openScrape(...peers.open);
  });
  returning.start();
  const rest = resting(cells, week, returning);
  rails.listen?.(inboundOfCells(service, stops, bankCan(rails.bank, 'query')));
  isReady = true;
  const readiness = openReadiness(peers);
  const proveReady = async () => {
    if (!isReady) throw unavailable('not ready', 1, 'starting');
    await readiness.prove();
  };
  void week?.play();
  return {
    sandbox,
    vitals: { scrape: () => scrape(), proveReady },
    handler,
    leave() {
      isReady = false;
    },
    rest() {
      isReady = false;
      return rest();
    },
    async stop() {
      await rest();
      await rails.close?.();
      await stops?.stop();
      await placement.stop();
      await Promise.all(peers.open.map(closeService));
    },
  };
}
