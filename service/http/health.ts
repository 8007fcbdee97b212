import { unavailable } from '@tenant-payments/engine/fail.ts';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../operations/readiness.ts';

/**
 * `/livez` replies 200 as soon as the process runs; `/readyz` only when migrations, sample data and
 * workers are up, and a write has just worked (rules/operations#7). While the service starts, the
 * listener replies to both.
 */
export function serveHealth(
  app: FastifyInstance,
  isReady: () => boolean,
  readiness: Readiness,
): void {
  app.get('/livez', async () => ({ status: 'live' }));
  app.get('/readyz', async () => {
    if (!isReady()) throw unavailable('not ready', 1, 'starting');
    await readiness.prove();
    return { status: 'ready' };
  });
}
