import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { rates } from '@tenant-payments/contract/core/numbers.ts';
import type { HostedEndpoint } from '@tenant-payments/contract/hosted/endpoint.ts';
import { serviceActorIn } from '@tenant-payments/engine/actor.ts';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../../http/auth/network.ts';
import { openRateLimit } from '../../http/auth/rate_limit.ts';
import { requestEvent } from '../../http/log/security.ts';
import { jsonType } from '../../http/serve/errors.ts';
import { inputOf, schemaOf } from '../../http/serve/serve.ts';
import type { Service } from '../../service.ts';
import { callerOf, type PageCaller, pageLocaleOf, unauthenticated } from './caller.ts';
import { ownerLinkOf } from './onboarding/owner_page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where a hosted page sent the bearer of its session. */
    page: PageCaller | null;
    /** Set where an owner's page sent the token of its link. */
    ownerLink: string | null;
  }
}

/** Requests in 60 s: of one session, and of one address that sends a token (rules/limits#16). */
const limits = { session: rates.hostedSession, address: rates.hostedAddress };

type Input<E extends EndpointDefinition> = ParamsOf<E> & BodyOf<E>;

/**
 * Registers operations of the hosted pages. The bearer is held in the page's memory and no cookie is
 * set, so that no other site can send a request in a customer's name.
 */
export function openHostedServing(scope: FastifyInstance, service: Service) {
  const rateLimit = openRateLimit(service, 'session');
  scope.decorateRequest('page', null);
  scope.decorateRequest('ownerLink', null);

  function serve<E extends HostedEndpoint>(
    endpoint: E,
    handler: (
      input: Input<E>,
      caller: PageCaller | null,
      ownerLink: string | null,
    ) => Promise<object>,
  ): void {
    if (endpoint.sandboxOnly && service.environment !== 'sandbox') return;
    scope.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: schemaOf(endpoint),
      async onRequest(request, reply) {
        if (endpoint.key === 'none') {
          await rateLimit.take(networkOf(request.ip), limits.address, reply);
          return;
        }
        if (endpoint.key === 'link') {
          await rateLimit.take(networkOf(request.ip), limits.address, reply);
          request.ownerLink = await ownerLinkOf(service, request.headers.authorization);
          return;
        }
        const caller = await callerOf(service, request.headers.authorization).catch(
          async (error: unknown) => {
            // Guesses of bearers are counted by address, since they have no session.
            await rateLimit.take(networkOf(request.ip), limits.address, reply);
            throw error;
          },
        );
        const customer_id = publicId('customer', caller.customerId);
        const facts = { actor: 'customer', tenant_id: caller.tenantId, customer_id } as const;
        const tell: PageCaller['tell'] = (event) =>
          requestEvent(service.log, request, event, facts);
        const locale = pageLocaleOf(request.headers['accept-language']);
        request.page = { ...caller, tell, locale, actor: serviceActorIn(request.trace) };
        await rateLimit.take(caller.sessionId, limits.session, reply);
      },
      async handler(request, reply) {
        const { page, ownerLink } = request;
        const body = await handler(inputOf<E>(request) as Input<E>, page, ownerLink);
        const { status } = endpoint.success;
        return reply.code(status).header('content-type', jsonType).send(JSON.stringify(body));
      },
    });
  }

  return {
    /** Without a bearer: a token in the body is the key. */
    open<E extends HostedEndpoint & { readonly key: 'none' }>(
      endpoint: E,
      handler: (input: Input<E>) => Promise<object>,
    ): void {
      serve(endpoint, handler);
    },
    /** With the token of an owner's link. */
    linked<E extends HostedEndpoint & { readonly key: 'link' }>(
      endpoint: E,
      handler: (token: string, input: Input<E>) => Promise<object>,
    ): void {
      serve(endpoint, async (input, _caller, ownerLink) => {
        if (ownerLink === null) throw unauthenticated();
        return handler(ownerLink, input);
      });
    },
    /** With the bearer of an opened session. */
    opened<E extends HostedEndpoint & { readonly key: 'bearer' }>(
      endpoint: E,
      handler: (caller: PageCaller, input: Input<E>) => Promise<object>,
    ): void {
      serve(endpoint, async (input, caller) => {
        if (caller === null) throw unauthenticated();
        return handler(caller, input);
      });
    },
  };
}
