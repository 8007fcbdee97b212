import type { FastifyInstance } from 'fastify';
import type { Service } from '../../service.ts';
import { openAuthentication } from '../auth/authentication.ts';
import { openRateLimit } from '../auth/rate_limit.ts';
import { noSuchPath, sendError } from './errors.ts';

/**
 * Puts authentication and the tenant's rate limit before every route of this scope, in that order
 * and before anything is read of the body (decisions 1.0, Check order).
 */
export function guard(scope: FastifyInstance, service: Service): void {
  const authentication = openAuthentication(service.db);
  const rateLimit = openRateLimit(service, 'tenant');
  scope.addHook('onRequest', async (request, reply) => {
    const caller = await authentication.callerOf(request.headers.authorization);
    request.tenantId = caller.tenantId;
    await rateLimit.take(caller.tenantId, caller.ratePerMinute, reply);
  });
}

/** In a sandbox chaos may strike any call of this scope, once its caller is known and counted. */
export function exposeToChaos(scope: FastifyInstance, { sandboxTools }: Service): void {
  if (sandboxTools === null) return;
  scope.addHook('onRequest', ({ tenantId }) => sandboxTools.chaos.strikeCall(tenantId));
}

/**
 * Any other path or method under `prefix` is not_found to everybody (decisions 1.0). Behind `guard`,
 * so that a caller who is known is counted and finds it in the request log.
 */
export function serveUnknown(scope: FastifyInstance, { log }: Service, prefix: string): void {
  const refuse = async () => {
    throw noSuchPath();
  };
  scope.all(
    `${prefix}/*`,
    {
      // Before anything is read of the body; and whatever the guard says.
      onRequest: refuse,
      errorHandler: (_error, request, reply) => sendError(noSuchPath(), request.id, reply, log),
    },
    refuse,
  );
}
