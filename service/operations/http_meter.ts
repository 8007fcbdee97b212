import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { openLineLimit } from './line_limit.ts';
import type { Meters } from './meters.ts';

const routeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** The contract's operation ids by method and path, as Fastify knows them. */
const operations: ReadonlyMap<string, string> = new Map(
  Object.values(endpoints).map((one) => [routeOf(one), one.id]),
);

const isOfPortal = (path: string) => path.startsWith('/portal/');

/**
 * The label of a request: the operation's id, else the route as it was registered. Requests that
 * match no route share one label.
 */
function operationOf({ method, routeOptions }: FastifyRequest): string {
  const path = routeOptions.url;
  if (path === undefined) return 'unknown';
  const { endpoint } = routeOptions.config;
  if (endpoint && isOfPortal(path)) return `portal.${endpoint.id}`;
  const route = routeOf({ method, path });
  return operations.get(route) ?? route;
}

/** `aborted`: the caller disconnected before it had the reply. */
const statusOf = ({ raw, statusCode }: FastifyReply): string =>
  raw.writableFinished ? `${Math.floor(statusCode / 100)}xx` : 'aborted';

/** One line for each request: a warning for a 5xx, else at level debug. */
function openAccessLog(log: Logger) {
  const limitLine = openLineLimit();
  return (request: FastifyRequest, reply: FastifyReply, operation: string, durationMs: number) => {
    // `not ready` is an answer, no fault.
    const isOurs = reply.statusCode >= 500 && operation !== 'GET /readyz';
    if (!isOurs && !log.isLevelEnabled('debug')) return;
    const left_out = isOurs ? limitLine() : 0;
    if (left_out === null) return;
    const line = {
      request_id: request.id,
      ...(request.tenantId ? { tenant_id: request.tenantId } : {}),
      operation,
      status: reply.statusCode,
      ...(request.cause === null ? {} : { cause: request.cause }),
      duration_ms: Math.round(durationMs),
      ...(left_out > 0 ? { left_out } : {}),
    };
    if (isOurs) log.warn(line, 'a request was answered with 5xx');
    else log.debug(line, 'request');
  };
}

/** Measures every request of this server, from its headers until its reply has left. */
export function meterRequests(
  app: FastifyInstance,
  { meters, log }: { readonly meters: Meters; readonly log: Logger },
): void {
  const { requestSeconds, requestsInFlight, faults } = meters;
  const write = openAccessLog(log);
  app.addHook('onRequest', (request, reply, done) => {
    requestsInFlight.inc();
    const beganMs = performance.now();
    reply.raw.once('close', () => {
      requestsInFlight.dec();
      const durationMs = performance.now() - beganMs;
      const operation = operationOf(request);
      requestSeconds.observe({ operation, status: statusOf(reply) }, durationMs / 1_000);
      // `not ready` is an answer, no fault.
      if (request.cause !== null && operation !== 'GET /readyz')
        faults.inc({ cause: request.cause });
      write(request, reply, operation, durationMs);
    });
    done();
  });
}
