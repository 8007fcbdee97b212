import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import type pg from 'pg';
import { AggregatorRegistry, collectDefaultMetrics, type Gauge, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { version } from '../config/version.ts';
import { type AgesContext, openAges } from './ages.ts';
import { openBelieved } from './believed.ts';
import type { DatabaseClock } from './database_clock.ts';
import { type DatabaseCounts, openDatabaseCounts } from './database_counts.ts';
import { linesDropped } from './log_sink.ts';
import type { Meters } from './meters.ts';
import type { ProcessRegistry } from './process_registry.ts';
import { showWaitingOrders, type WaitingOrders } from './waiting_orders.ts';

interface ScrapeContext extends AgesContext {
  /** The database of control. */
  readonly control: pg.Pool;
  readonly cell: string;
  readonly meters: Meters;
  readonly databaseClock: Pick<DatabaseClock, 'aheadMs'>;
  readonly engine: Pick<Engine, 'queued'>;
  readonly config: Pick<Config, 'adapters' | 'databaseUrl' | 'rails'>;
  readonly waitingOrders: () => Promise<WaitingOrders>;
  readonly processRegistry: Pick<ProcessRegistry, 'live'>;
}

/** Waits here last for hours, and all records that wait are read. */
const ordersGoodMs = 60_000;

/** A value that is not known now is left out of the scrape. */
function show(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

type Shown = Pick<
  Meters,
  | 'jobsDue'
  | 'jobsLate'
  | 'proofAge'
  | 'auditProofAge'
  | 'backupAge'
  | 'alarmsOpen'
  | 'keyAge'
  | 'certificateLeft'
>;

function showCounts(meters: Shown, counts: DatabaseCounts | null): void {
  const { jobsDue, jobsLate, backupAge, alarmsOpen, keyAge } = meters;
  for (const gauge of [jobsDue, jobsLate, backupAge, alarmsOpen, keyAge]) gauge.reset();
  for (const { name, due, late } of counts?.jobs ?? []) {
    jobsDue.set({ name }, due);
    jobsLate.set({ name }, late);
  }
  for (const { name, value } of counts?.backups ?? []) backupAge.set({ what: name }, value);
  for (const { name, value } of counts?.alarms ?? []) alarmsOpen.set({ alarm: name }, value);
  for (const { name, value } of counts?.keys ?? []) keyAge.set({ ring: name }, value);
  show(meters.proofAge, counts?.proof ?? undefined);
  show(meters.auditProofAge, counts?.auditProof ?? undefined);
  show(meters.certificateLeft, counts?.certificate ?? undefined);
}

/** Brings what is read at a scrape up to date. */
function openReading(context: ScrapeContext): () => Promise<Registry> {
  const { meters, databaseClock, engine, pool, processRegistry } = context;
  const ages = openAges(context);
  const waitingOrders = openBelieved(context.waitingOrders, ordersGoodMs);
  const counts = openDatabaseCounts(context);
  meters.buildInfo.set({ version, node: process.versions.node }, 1);
  return async () => {
    const [waiting, orders, counted] = await Promise.all([ages(), waitingOrders(), counts()]);
    showCounts(meters, counted);
    meters.webhookLag.reset();
    for (const [tenant, seconds] of meters.worstLags.shown())
      meters.webhookLag.set({ tenant }, seconds);
    show(meters.webhookOldest, waiting?.webhookOldest);
    show(meters.webhookOverdue, waiting?.webhookOverdue);
    show(meters.jobsOldest, waiting?.jobsOldest);
    meters.webhookLate.reset();
    for (const { seconds, ...labels } of waiting?.ofEndpoints ?? [])
      meters.webhookLate.set(labels, seconds);
    showWaitingOrders(meters, context.config, orders);
    meters.clockSkew.set(databaseClock.aheadMs() / 1_000);
    meters.commandsQueued.set(engine.queued());
    meters.poolConnections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
    meters.poolConnections.set({ state: 'idle' }, pool.idleCount);
    meters.poolWaiting.set(pool.waitingCount);
    for (const role of ['api', 'worker'] as const)
      meters.processesLive.set({ role }, processRegistry.live(role));
    return meters.registry;
  };
}

/** Counts the lines dropped since the last scrape: a process has one log, which the first of its cells shows. */
function openDropped([first]: readonly ScrapeContext[]): () => void {
  let shown = 0;
  return () => {
    const now = linesDropped();
    first?.meters.logLinesDropped.inc(now - shown);
    shown = now;
  };
}

/**
 * The text of all registries. With several cells each series has the label `cell`, so that none is added to another.
 */
async function textOf(registries: readonly Registry[]): Promise<string> {
  const [first, ...others] = registries;
  if (first && others.length === 0) return first.metrics();
  const all = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
  return AggregatorRegistry.aggregate(all).metrics();
}

/**
 * The text of `/metrics`, with the metrics of Node's own process. It takes seconds at most, also
 * while the database does not answer.
 * @param cells all that this process serves
 */
export function openScrape(...cells: readonly ScrapeContext[]): () => Promise<string> {
  const readings = cells.map(openReading);
  const showDropped = openDropped(cells);
  if (cells.length > 1)
    for (const { meters, cell } of cells) meters.registry.setDefaultLabels({ cell });
  const ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  return async () => {
    showDropped();
    const registries = await Promise.all(readings.map((read) => read()));
    return `${await textOf(registries)}\n${await ofNode.metrics()}`;
  };
}
