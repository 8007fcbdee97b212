import { collectDefaultMetrics, type Gauge, Registry } from 'prom-client';
import type { Service } from '../service.ts';
import { openAges } from './ages.ts';

/** What is not known now is left out of the scrape rather than shown as it was. */
function show(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/**
 * The text of `/metrics`, with the metrics of Node's own process. Whatever the database does, it
 * comes within seconds.
 */
export function openScrape({
  meters,
  engine,
  pool,
  clocks,
  processRegistry,
}: Pick<
  Service,
  'meters' | 'engine' | 'pool' | 'clocks' | 'processRegistry'
>): () => Promise<string> {
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
