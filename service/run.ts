import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { buildApp, buildService, closeService } from './app.ts';
import { openRails, sandboxSample } from './composition.ts';
import type { Config } from './config.ts';
import type { TenantFacts } from './tenants/create.ts';
import { operatorKey } from './tenants/operator.ts';
import { sandboxTenant } from './tenants/sandbox_file.ts';
import { buildWorkers } from './workers.ts';

/** A service at work. */
export interface Running {
  /** What a new sandbox tells whoever started it; null in production. */
  readonly facts: TenantFacts | null;
  /** Ends the workers, then what they and the requests use. */
  stop(): Promise<void>;
}

/**
 * Runs the service on a migrated database: requests are answered at once, and `/readyz` says so when
 * this resolves, with workers up and a sandbox's sample made.
 */
export async function runService(
  config: Config,
  surroundings: { readonly databaseUrl: string; readonly log: Logger },
  answer: (handler: RequestListener) => void,
): Promise<Running> {
  const service = await buildService(config, surroundings);
  const isSandbox = config.environment === 'sandbox';
  const [rails, key] = await Promise.all([
    openRails(config),
    isSandbox ? operatorKey(config.dataDir) : null,
  ]);
  const workers = buildWorkers(service, rails);
  let isReady = false;
  const parts = { service, workers, rails, operatorKey: key, isReady: () => isReady };
  const app = await buildApp(parts);
  answer(app.routing);
  if (config.roles.has('worker')) workers.start();
  const facts = isSandbox ? await sandboxTenant(service, sandboxSample(service, rails)) : null;
  isReady = true;
  return {
    facts,
    async stop() {
      await workers.stop();
      await closeService(service);
    },
  };
}
