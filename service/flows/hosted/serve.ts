import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import type { HostedEndpoint } from '@tenant-payments/contract/hosted/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { fail } from '../../core/fail.ts';
import { addSeconds } from '../../core/instant.ts';
import { tenantOfSecret, tokenHash } from '../../core/vault.ts';
import { jsonType } from '../../http/errors.ts';
import { openRateLimit } from '../../http/rate_limit.ts';
import { inputOf, schemaOf } from '../../http/serve.ts';
import type { Service } from '../../service.ts';

/** Whose page asks. */
export interface PageCaller {
  readonly tenantId: string;
  /** By uuid. */
  readonly sessionId: string;
  readonly customerId: string;
  readonly bearer: string;
  /** Of the tenant's clock: `2026-11-21`. */
  readonly today: string;
  readonly newId: () => string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where a hosted page brought the bearer of its session. */
    page: PageCaller | null;
  }
}

/** Requests in 60 s: of one session, and of one address that brings a token. */
const limits = { session: 240, address: 600 } as const;

/** After its end a page shows what became of it, and takes the result, for as long as that lives. */
const afterEndSeconds = 600;
const longestBearer = 256;
const bearerForm = /^Bearer (fb_[\w-]+)$/i;

const unauthenticated = () =>
  fail('authentication_required', { message: 'the session of this page is not known' });

/** Finds the session that a bearer opened. @throws ApiError authentication_required */
async function callerOf({ db, clocks }: Service, header: string | undefined): Promise<PageCaller> {
  const bearer = bearerForm.exec(header ?? '')?.[1] ?? '';
  const tenantId = bearer.length > longestBearer ? null : tenantOfSecret(bearer);
  if (tenantId === null) throw unauthenticated();
  const row = await db
    .selectFrom('sessions')
    .innerJoin('tenants', 'tenants.tenant_id', 'sessions.tenant_id')
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.bearer_hash', '=', tokenHash(bearer))
    .select([
      'sessions.id',
      'sessions.customer_id',
      'sessions.status',
      'sessions.updated_at',
      'tenants.clock_offset_ms',
      'tenants.clock_at',
    ])
    .executeTakeFirst();
  if (!row) throw unauthenticated();
  const { now, newId } = clocks.at(tenantId, row);
  const isOver = row.status !== 'created' && addSeconds(row.updated_at, afterEndSeconds) <= now;
  if (isOver) throw unauthenticated();
  const { id: sessionId, customer_id: customerId } = row;
  return { tenantId, sessionId, customerId, bearer, today: now.slice(0, 10), newId };
}

type Input<E extends EndpointDefinition> = ParamsOf<E> & BodyOf<E>;

/**
 * Registers operations of the hosted pages. There are no cookies: whoever has no bearer in memory has
 * no session, so that no other site can ask in a customer's name.
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
          await rateLimit.take(request.ip, limits.address, reply);
          return;
        }
        const caller = await callerOf(service, request.headers.authorization).catch(
          async (error: unknown) => {
            // Who guesses bearers is counted by its address, since no session is its own.
            await rateLimit.take(request.ip, limits.address, reply);
            throw error;
          },
        );
        request.page = caller;
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
    /** The body brings the key. */
    open<E extends HostedEndpoint & { readonly key: 'none' }>(
      endpoint: E,
      handler: (input: Input<E>) => Promise<object>,
    ): void {
      serve(endpoint, handler);
    },
    /** Of a session that was opened. */
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
