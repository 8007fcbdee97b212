import type { FastifyInstance } from 'fastify';
import { unavailable } from '../core/fail.ts';

/**
 * `/livez` answers as soon as the process does; `/readyz` answers 200 only when migrations, sample
 * data and workers are up (surfaces: Start). While the service starts, the listener answers both.
 */
export function serveHealth(app: FastifyInstance, isReady: () => boolean): void {
  app.get('/livez', async () => ({ status: 'live' }));
  app.get('/readyz', async () => {
    if (!isReady()) throw unavailable('not ready');
    return { status: 'ready' };
  });
}
