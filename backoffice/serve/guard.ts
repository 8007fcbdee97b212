import { roles } from '@tenant-payments/contract/core/roles.ts';
import { type Actor, actorName } from '@tenant-payments/engine/actor.ts';
import type { Act } from '@tenant-payments/engine/batch/acts.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { RefusedInProduction } from '@tenant-payments/engine/production.ts';
import { openAuthentication } from '@tenant-payments/service/http/auth/authentication.ts';
import { openRateLimit } from '@tenant-payments/service/http/auth/rate_limit.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actOf, recordOf, scopeOf } from '../audit/acts.ts';
import type { PortalEndpoint, StepUpBy } from '../contract/endpoint.ts';
import { openProductionRules } from './production.ts';
import { assertMay, type CallerRights } from './rights.ts';

/** The caller of an operation of the portal, and its Tenant. */
export interface PortalCaller extends CallerRights {
  readonly actor: Actor;
  /** Requests in 60 s, of this caller alone. */
  readonly ratePerMinute: number;
  /** The refusal of production, where a sandbox lets the caller in. */
  readonly refused?: RefusedInProduction;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether its caller may still call it: what stays open asks again. */
    isStillAllowed: () => Promise<boolean>;
    /** Whether it only asks again: the session counts as not used meanwhile. */
    isAskedAgain: boolean;
    /** Its caller counts as stepped up. */
    isFresh: boolean;
  }
}

/** By how an operation declares it: whether a request whose input has been checked wants a step-up. */
export type StepUpChecks = Readonly<
  Record<StepUpBy, (request: FastifyRequest) => Promise<boolean>>
>;

/** Finds the caller by what it recognises; null: the request carries nothing of that kind. */
export type Identify = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<PortalCaller | null>;

/** The act of a call, as the audit names it; null: a read is none. */
function actIn(request: FastifyRequest, endpoint: PortalEndpoint): Act | null {
  if (endpoint.method === 'GET') return null;
  const params = request.params as Readonly<Record<string, string>>;
  return {
    act: actOf(endpoint, params),
    record: recordOf(params),
    scope: scopeOf(endpoint, request),
  };
}

/** In the sandbox the Tenant's access token has every role, of members and of staff (rules/people#4). */
function byAccessToken(service: Service): Identify {
  const authentication = openAuthentication(service);
  return async ({ headers: { authorization } }) => {
    if (service.environment === 'production') return null;
    const { actor, tenantId, ratePerMinute } = await authentication.callerOf(authorization);
    const refused = { rule: 'access_token', error: unknownCaller() } as const;
    return { actor: { ...actor, roles }, tenantId, ratePerMinute, isFresh: true, refused };
  };
}

const unknownCaller = () =>
  fail('authentication_required', { message: 'sign in, or use an API key' });

/**
 * Puts before every route of the portal, in this order: who calls, the caller's own rate limit, and the
 * rights that the operation's own table row declares (rules/people#2).
 * @param identify the ways to sign in, tried in turn before the sandbox's access token
 * @param wants whether what is asked wants a step-up that the request does not have (rules/people#6)
 */
export function guardPortal(
  scope: FastifyInstance,
  service: Service,
  identify: readonly Identify[],
  wants: StepUpChecks,
): void {
  const ways = [...identify, byAccessToken(service)];
  const rateLimit = openRateLimit(service, 'caller');
  const production = openProductionRules(service);

  async function callerOf(request: FastifyRequest, reply: FastifyReply): Promise<PortalCaller> {
    for (const way of ways) {
      const caller = await way(request, reply);
      if (caller) return caller;
    }
    throw unknownCaller();
  }

  async function isAllowed(
    request: FastifyRequest,
    reply: FastifyReply,
    endpoint: PortalEndpoint,
  ): Promise<boolean> {
    request.isAskedAgain = true;
    try {
      const caller = await callerOf(request, reply);
      await production.assertLetIn(endpoint, caller);
      assertMay(endpoint, caller, service.environment);
      return caller.tenantId === request.tenantId;
    } catch {
      // Also while the database is away: its caller comes again.
      return false;
    }
  }

  scope.decorateRequest('isAskedAgain', false);
  scope.decorateRequest('isFresh', false);
  scope.addHook('onRequest', async (request, reply) => {
    const endpoint = request.routeOptions.config.endpoint as PortalEndpoint | undefined;
    if (!endpoint) return;
    if (endpoint.may === 'anybody') {
      request.act = actIn(request, endpoint);
      return;
    }
    const caller = await callerOf(request, reply);
    const { actor, tenantId, ratePerMinute } = caller;
    request.tenantId = tenantId;
    request.isStillAllowed = () => isAllowed(request, reply, endpoint);
    request.isFresh = caller.isFresh;
    const { id: requestId, ip: address, trace } = request;
    request.actor = { ...actor, address, requestId, trace };
    request.act = actIn(request, endpoint);
    await production.assertLetIn(endpoint, caller);
    await rateLimit.take(actorName(actor), ratePerMinute, reply);
    assertMay(endpoint, caller, service.environment);
    production.tell(endpoint, caller, request, reply);
  });
  scope.addHook('preHandler', async (request) => {
    const { stepUp } = (request.routeOptions.config.endpoint ?? {}) as Partial<PortalEndpoint>;
    if (typeof stepUp === 'string' && (await wants[stepUp](request)))
      throw fail('step_up_required');
  });
}
