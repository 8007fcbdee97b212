import { ApiError } from '@tenant-payments/engine/fail.ts';
import { traceFact } from '@tenant-payments/engine/trace.ts';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import {
  actorFacts,
  type SecurityEventName,
  type SecurityFacts,
  securityEvent,
} from '../../operations/security_events.ts';

type Facts = Partial<SecurityFacts>;

/**
 * Writes a security event of a request, with its caller where one is known, and its client's address (with
 * TRUSTED_PROXIES). The name `address` is a person's in our logs, and redacted.
 */
export function requestEvent(
  log: Logger,
  request: FastifyRequest,
  event: SecurityEventName,
  facts: Facts = {},
): void {
  const { id, ip, tenantId, trace } = request;
  const tenant_id = tenantId || undefined;
  const own = { client_address: ip, request_id: id, ...traceFact(trace), tenant_id };
  securityEvent(log, event, { ...own, ...actorFacts(request.actor), ...facts });
}

/** Writes that access was refused. Without a credential it is not: each visit of the sign-in page is such a request. */
export function tellRefusedAccess(log: Logger, request: FastifyRequest, error: unknown): void {
  if (!(error instanceof ApiError)) return;
  const { authorization, cookie } = request.headers;
  const isKnown = error.code === 'forbidden';
  const hasTried = error.code === 'authentication_required' && (authorization ?? cookie);
  if (isKnown || hasTried) requestEvent(log, request, 'access_refused', { code: error.code });
}

const isOfPages = /^\/(?:hosted|portal)\//;

/**
 * Writes that input was refused where no log of requests keeps it. Without the field at fault, whose name
 * the caller chose.
 */
export function tellInvalidInput(log: Logger, request: FastifyRequest, error: ApiError): void {
  const { url } = request.routeOptions;
  if (error.status !== 400 || url === undefined || !isOfPages.test(url)) return;
  const { reason } = error.details ?? {};
  requestEvent(log, request, 'input_invalid', {
    operation: `${request.method} ${url}`,
    code: error.code,
    ...(typeof reason === 'string' ? { reason } : {}),
  });
}
