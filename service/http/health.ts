import type { FastifyInstance } from 'fastify';
import { unavailable } from '../core/fail.ts';

/**
 * `/livez` replies 200 as soon as the process runs; `/readyz` only when migrations, sample data and
 * workers are up (rules/operations#7). While the service starts, the listener replies to both.
 */
export function serveHealth(app: FastifyInstance, isReady: () => boolean): void {
  app.get('/livez', async () => ({ status: 'live' }));
  app.get('/readyz', async () => {
    if (!isReady()) throw unavailable('not ready');
    return { status: 'ready' };
  });
}
