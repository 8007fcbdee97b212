import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { buildApp, buildService, closeService } from './app.ts';
import { openRails, sandboxSample, sandboxWeek } from './composition.ts';
import type { Config } from './config/config.ts';
import { openInbound } from './inbound/inbound.ts';
import { alone } from './operations/alone.ts';
import type { Vitals } from './operations/metrics_listener.ts';
import { openScrape } from './operations/scrape.ts';
import type { Service } from './service.ts';
import type { TenantFacts } from './tenants/create.ts';
import { operatorKey } from './tenants/operator.ts';
import { sandboxTenant } from './tenants/sandbox_file.ts';
import { buildWorkers, type Workers } from './workers.ts';

/** A service at work. */
export interface Running {
  /** What a sandbox prints at its start; null in production, and where no API is served. */
  readonly facts: TenantFacts | null;
  readonly vitals: Vitals;
  /** Starts no further job or delivery; resolves when those under way have ended. */
  rest(): Promise<void>;
  /** Rests, then ends what workers and requests use. */
  stop(): Promise<void>;
}

/** Rests once, however often it is called. */
function resting(
  service: Service,
  workers: Workers,
  week: ReturnType<typeof sandboxWeek> | null,
): () => Promise<void> {
  let rested: Promise<unknown> | null = null;
  const rest = async () => {
    // What it has made due is left to the others.
    await week?.stop();
    await workers.stop();
  };
  return async () => {
    // Those that stay take over this one's share of the limits while it still answers.
    rested ??= Promise.all([service.processRegistry.stop(), rest()]);
    await rested;
  };
}

/**
 * Runs the service on a migrated database: requests are answered at once, and `/readyz` says so when
 * this resolves, with workers up and a sandbox's sample made.
 * @param answer takes the handler of all requests as soon as there is one; it may wrap it
 */
export async function runService(
  config: Config,
  context: { readonly databaseUrl: string; readonly log: Logger },
  answer: (handler: RequestListener) => void,
): Promise<Running> {
  const service = await buildService(config, context);
  const isSandbox = config.environment === 'sandbox';
  const [rails, key] = await Promise.all([
    openRails(service),
    isSandbox ? operatorKey(config.dataDir) : null,
  ]);
  const workers = buildWorkers(service, rails);
  // Only a process with the role api can be called at these addresses.
  const tellsFacts = isSandbox && config.roles.has('api');
  const week = tellsFacts && config.sampleWeek ? sandboxWeek(service, rails) : null;
  const rest = resting(service, workers, week);
  let isReady = false;
  const parts = { service, workers, rails, operatorKey: key, isReady: () => isReady };
  const app = await buildApp(parts);
  await service.processRegistry.start();
  answer(app.routing);
  if (config.roles.has('worker')) workers.start();
  rails.listen?.(openInbound(service));
  const facts = tellsFacts
    ? await alone(service.pool, () => sandboxTenant(service, sandboxSample(service, rails)))
    : null;
  isReady = true;
  void week?.play();
  return {
    facts,
    vitals: { scrape: openScrape(service), isReady: () => isReady },
    rest() {
      isReady = false;
      return rest();
    },
    async stop() {
      await rest();
      await rails.close?.();
      await closeService(service);
    },
  };
}
