import { collectDefaultMetrics, type Gauge, Registry } from 'prom-client';
import type { Engine } from '../core/batch/engine.ts';
import { type AgesContext, openAges } from './ages.ts';
import type { Meters } from './meters.ts';
import type { ProcessRegistry } from './process_registry.ts';

interface ScrapeContext extends AgesContext {
  readonly meters: Meters;
  readonly engine: Pick<Engine, 'queued'>;
  readonly processRegistry: Pick<ProcessRegistry, 'live'>;
}

/** A value that is not known now is left out of the scrape. */
function show(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/**
 * The text of `/metrics`, with the metrics of Node's own process. It takes seconds at most, also
 * while the database does not answer.
 */
export function openScrape({
  meters,
  engine,
  pool,
  clocks,
  processRegistry,
}: ScrapeContext): () => Promise<string> {
  const ages = openAges({ pool, clocks });
  const ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  return async () => {
    const waiting = await ages();
    show(meters.webhookOldest, waiting?.webhookOldest);
    show(meters.webhookOverdue, waiting?.webhookOverdue);
    show(meters.jobsOldest, waiting?.jobsOldest);
    meters.commandsQueued.set(engine.queued());
    meters.poolConnections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
    meters.poolConnections.set({ state: 'idle' }, pool.idleCount);
    meters.poolWaiting.set(pool.waitingCount);
    for (const role of ['api', 'worker'] as const)
      meters.processesLive.set({ role }, processRegistry.live(role));
    return `${await meters.registry.metrics()}\n${await ofNode.metrics()}`;
  };
}
