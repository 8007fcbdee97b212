import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { rates } from '@tenant-payments/contract/core/numbers.ts';
import type { HostedEndpoint } from '@tenant-payments/contract/hosted/endpoint.ts';
import { itselfIn } from '@tenant-payments/engine/actor.ts';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../../http/auth/network.ts';
import { openRateLimit } from '../../http/auth/rate_limit.ts';
import { requestEvent } from '../../http/log/security.ts';
import { jsonType } from '../../http/serve/errors.ts';
import { inputOf, schemaOf } from '../../http/serve/serve.ts';
import type { Service } from '../../service.ts';
import { callerOf, type PageCaller, pageLocaleOf, unauthenticated } from './caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where a hosted page sent the bearer of its session. */
    page: PageCaller | null;
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

  function serve<E extends HostedEndpoint>(
    endpoint: E,
    handler: (input: Input<E>, caller: PageCaller | null) => Promise<object>,
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
        request.page = { ...caller, tell, locale, actor: itselfIn(request.trace) };
        await rateLimit.take(caller.sessionId, limits.session, reply);
      },
      async handler(request, reply) {
        const body = await handler(inputOf<E>(request) as Input<E>, request.page);
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
