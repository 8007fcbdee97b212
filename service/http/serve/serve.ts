import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import { Closed } from '@tenant-payments/contract/core/schema.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fingerprintOf, keyHashOf } from '../../core/batch/idempotency.ts';
import type { Command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import { openPages } from '../../core/pages.ts';
import type { ReadContext, Service } from '../../service.ts';
import { jsonType } from './errors.ts';

/** What an operation's command or handler is given: path, query and body in one object. */
export type InputOf<E extends EndpointDefinition> = ParamsOf<E> & QueryOf<E> & BodyOf<E>;

/** An unknown query parameter or body field is refused also where none is known (decisions 1.0). */
const nothing = Closed({});

export const schemaOf = ({ method, params, query, body }: EndpointDefinition) => ({
  ...(params ? { params } : {}),
  querystring: query ?? nothing,
  ...(method === 'GET' ? {} : { body: body ?? nothing }),
});

/** The key stands before the body's shape in the order of checks (decisions 1.0). */
async function requireKey(request: FastifyRequest): Promise<void> {
  const header = request.headers['idempotency-key'];
  if (header === undefined)
    throw fail('idempotency_key_missing', { message: 'this operation needs an Idempotency-Key' });
  request.keyHash = keyHashOf(String(header));
}

async function honorKey(request: FastifyRequest): Promise<void> {
  const header = request.headers['idempotency-key'];
  if (header !== undefined) request.keyHash = keyHashOf(String(header));
}

const keyHooks = { required: [requireKey], honored: [honorKey], none: [] };

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;

/** All that a request brings, validated. */
export function inputOf<E extends EndpointDefinition>(request: FastifyRequest): InputOf<E> {
  const { params, query, body } = request;
  return { ...(params as object), ...(query as object), ...(body as object) } as InputOf<E>;
}

/**
 * Registers an operation that runs a command. What comes back is sent as the engine wrote it.
 * @param beforeReply what the caller may rely on having happened too, such as jobs that ran
 */
export function serve<E extends EndpointDefinition, Loaded, Prepared>(
  scope: FastifyInstance,
  { engine }: Service,
  endpoint: E,
  command: Command<InputOf<E>, Loaded, Prepared>,
  beforeReply?: (tenantId: string) => Promise<void>,
): void {
  const { status } = endpoint.success;
  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: schemaOf(endpoint),
    onRequest: keyHooks[endpoint.idempotent],
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { keyHash, tenantId, method, url } = request;
      const idempotency =
        keyHash === null
          ? null
          : { keyHash, fingerprint: fingerprintOf(method, pathOf(url), request.body) };
      const input = inputOf<E>(request);
      const { body, replayed } = await engine.submit(command, { tenantId, input, idempotency });
      if (beforeReply) await beforeReply(tenantId);
      if (replayed) reply.header('idempotent-replayed', 'true');
      return reply.code(status).header('content-type', jsonType).send(body);
    },
  });
}

/** Registers an operation that only reads. HEAD comes with it (decisions 1.0). */
export function serveRead<E extends EndpointDefinition>(
  scope: FastifyInstance,
  { db, clocks, vault }: Service,
  endpoint: E,
  handler: (context: ReadContext, input: ParamsOf<E> & QueryOf<E>) => Promise<object>,
): void {
  const { status } = endpoint.success;

  async function nowOf(tenantId: string): Promise<string> {
    const facts = await db
      .selectFrom('tenants')
      .where('tenant_id', '=', tenantId)
      .select(['clock_offset_ms', 'clock_at'])
      .executeTakeFirstOrThrow();
    return clocks.at(tenantId, facts).now;
  }

  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: schemaOf(endpoint),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { tenantId, url } = request;
      const input = inputOf<E>(request);
      const pages = openPages(vault, tenantId, pathOf(url), request.query as object);
      const found = await handler({ tenantId, db, pages, now: () => nowOf(tenantId) }, input);
      return reply.code(status).header('content-type', jsonType).send(JSON.stringify(found));
    },
  });
}
