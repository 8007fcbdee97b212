import type { FastifyInstance } from 'fastify';
import type { Service } from '../../service.ts';
import { openAuthentication } from '../auth/authentication.ts';
import type { Refill } from '../auth/refill.ts';
import { noSuchPath, sendNoSuchPath } from './errors.ts';

/** HEAD is routed as GET. */
const kindOf = (method: string): string => (method === 'GET' ? 'reads' : 'writes');

/**
 * Puts authentication and the tenant's rate limit before every route of this scope, in that order
 * and before the body is read (rules/errors#22). Reads take nothing from writes (rules/limits#12).
 */
export function guard(scope: FastifyInstance, service: Service, rateLimit: Refill): void {
  const authentication = openAuthentication(service);
  scope.addHook('onRequest', async (request, reply) => {
    const caller = await authentication.callerOf(request.headers.authorization);
    request.tenantId = caller.tenantId;
    request.actor = { ...caller.actor, requestId: request.id, trace: request.trace };
    const bucket = `${caller.tenantId} ${kindOf(request.method)}`;
    rateLimit.take(bucket, caller.ratePerMinute, reply);
  });
}

/** In a sandbox, chaos may fail any call of this scope after authentication and rate limit. */
export function exposeToChaos(scope: FastifyInstance, { sandboxTools }: Service): void {
  if (sandboxTools === null) return;
  scope.addHook('onRequest', ({ tenantId }) => sandboxTools.chaos.strikeCall(tenantId));
}

/**
 * Replies not_found to any other path or method under `prefix` (rules/errors#11), also without a
 * valid token. Behind `guard`, so that a known caller's request is counted and logged.
 */
export function serveUnknown(scope: FastifyInstance, { log }: Service, prefix: string): void {
  const refuse = async () => {
    throw noSuchPath();
  };
  scope.all(
    `${prefix}/*`,
    {
      // Before the body is read, and also for refusals of the guard.
      onRequest: refuse,
      errorHandler: (_error, request, reply) => sendNoSuchPath(request, reply, log),
    },
    refuse,
  );
}
