import { endpoints } from '@tenant-payments/contract/catalog.ts';
import {
  type Span,
  type Tracing,
  traceFact,
  traceparentOf,
} from '@tenant-payments/engine/trace.ts';
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
      ...traceFact(request.trace),
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

interface Measured {
  readonly meters: Meters;
  readonly log: Logger;
  readonly tracing: Tracing;
}

/** Probes and metrics begin no trace. */
const isProbe = ({ url }: FastifyRequest): boolean => url === '/livez' || url === '/readyz';

/** The span of a request, below its caller's where the header names one. */
function beginSpan(tracing: Tracing, request: FastifyRequest): Span | null {
  if (isProbe(request)) return null;
  const parent = traceparentOf(request.headers.traceparent);
  const span = tracing.begin(request.method, { kind: 'request', parent });
  request.trace = span.traceparent;
  return span;
}

function endSpan(span: Span | null, request: FastifyRequest, reply: FastifyReply): void {
  const { method, routeOptions, id, tenantId } = request;
  span?.end(
    {
      'http.request.method': method,
      'http.route': routeOptions.url ?? 'unknown',
      'http.response.status_code': reply.statusCode,
      operation: operationOf(request),
      request_id: id,
      ...(tenantId && { 'tenant.id': tenantId }),
    },
    reply.statusCode >= 500,
  );
}

/** Measures every request of this server, from its headers until its reply has left. */
export function meterRequests(app: FastifyInstance, { meters, log, tracing }: Measured): void {
  const { requestSeconds, requestsInFlight, faults } = meters;
  const write = openAccessLog(log);
  app.addHook('onRequest', (request, reply, done) => {
    requestsInFlight.inc();
    const beganMs = performance.now();
    const span = beginSpan(tracing, request);
    reply.raw.once('close', () => {
      requestsInFlight.dec();
      const durationMs = performance.now() - beganMs;
      const operation = operationOf(request);
      requestSeconds.observe({ operation, status: statusOf(reply) }, durationMs / 1_000);
      // `not ready` is an answer, no fault.
      if (request.cause !== null && operation !== 'GET /readyz')
        faults.inc({ cause: request.cause });
      write(request, reply, operation, durationMs);
      endSpan(span, request, reply);
    });
    done();
  });
}
