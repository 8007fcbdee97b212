import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import { Closed } from '@tenant-payments/contract/core/schema.ts';
import type { Act } from '@tenant-payments/engine/batch/acts.ts';
import type { Engine, Submission } from '@tenant-payments/engine/batch/engine.ts';
import { fingerprintOf, keyHashOf } from '@tenant-payments/engine/batch/idempotency.ts';
import type { Command, Reply } from '@tenant-payments/engine/command.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import { openPages } from '@tenant-payments/engine/pages.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import type { ClockFacts } from '@tenant-payments/engine/time/clock.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReadContext } from '../../read_context.ts';
import type { Service } from '../../service.ts';
import { headersOf, isDownload } from '../files/downloads.ts';
import { tellRefused } from '../log/refused_in_production.ts';
import { jsonType } from './errors.ts';
import { nestQuery } from './nested_query.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation that the route serves. */
    readonly endpoint?: EndpointDefinition;
  }
  interface FastifyRequest {
    /** The caller's act, for the audit; null: a read, or a call of the API. The portal's guard names it. */
    act: Act | null;
  }
}

/** The input of an operation's command or handler: path, query and body in one object. */
export type InputOf<E extends EndpointDefinition> = ParamsOf<E> & QueryOf<E> & BodyOf<E>;

/** Also an operation without query or body refuses unknown fields (rules/errors#10). */
const nothing = Closed({});

export const schemaOf = ({ method, params, query, body }: EndpointDefinition) => ({
  ...(params ? { params } : {}),
  querystring: query ?? nothing,
  ...(method === 'GET' ? {} : { body: body ?? nothing }),
});

/** The key is checked before the body (rules/errors#22). */
async function requireKey(request: FastifyRequest): Promise<void> {
  const header = request.headers['idempotency-key'];
  if (header === undefined)
    throw fail('idempotency_key_missing', {
      message: 'this operation needs the header Idempotency-Key',
    });
  request.keyHash = keyHashOf(String(header));
}

async function readKey(request: FastifyRequest): Promise<void> {
  const header = request.headers['idempotency-key'];
  if (header !== undefined) request.keyHash = keyHashOf(String(header));
}

const keyHooks = { required: [requireKey], honored: [readKey], none: [] };

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;

/** The request's validated path, query and body. */
export function inputOf<E extends EndpointDefinition>(request: FastifyRequest): InputOf<E> {
  const { params, query, body } = request;
  return { ...(params as object), ...(query as object), ...(body as object) } as InputOf<E>;
}

/** The part of a command's submission that its request gives. */
type Asked = Pick<Submission<never>, 'actor' | 'act' | 'idempotency'>;

function askedBy({ keyHash, actor, act, method, url, body }: FastifyRequest): Asked {
  const fingerprint = () => fingerprintOf(method, pathOf(url), body);
  const idempotency = keyHash === null ? null : { keyHash, fingerprint: fingerprint() };
  return { actor, act, idempotency };
}

/** Registers an operation that runs a command. The reply is sent as the engine wrote it. */
function serveBy<E extends EndpointDefinition>(
  scope: FastifyInstance,
  engine: Engine,
  endpoint: E,
  submit: (request: FastifyRequest, reply: FastifyReply) => Promise<Reply>,
): void {
  const { status } = endpoint.success;
  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: schemaOf(endpoint),
    config: { endpoint },
    ...(endpoint.largestBody ? { bodyLimit: endpoint.largestBody } : {}),
    // Before the body is read: a refusal must cost little.
    onRequest: [() => engine.requireRoom(), ...keyHooks[endpoint.idempotent]],
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { body, replayed, shownBy } = await submit(request, reply);
      if (replayed) reply.header('idempotent-replayed', 'true');
      request.shownBy = shownBy;
      return reply.code(status).header('content-type', jsonType).send(body);
    },
  });
}

/**
 * Registers an operation that runs a command of the Tenant.
 * @param beforeReply runs after the commit and before the reply, and is given it: jobs that are due, caches
 */
export function serve<E extends EndpointDefinition, Loaded, Prepared>(
  scope: FastifyInstance,
  { engine, log }: Service,
  endpoint: E,
  command: Command<InputOf<E>, Loaded, Prepared>,
  beforeReply?: (tenantId: string, body: string) => Promise<void> | void,
): void {
  serveBy(scope, engine, endpoint, async (request, reply) => {
    const { tenantId } = request;
    const input = inputOf<E>(request);
    const done = await engine.submit(command, { ...askedBy(request), tenantId, input });
    if (done.refusedInProduction) tellRefused(log, request, reply, done.refusedInProduction);
    if (beforeReply) await beforeReply(tenantId, done.body);
    return done;
  });
}

/** The input of a command of the platform: the operation's input, and the Tenant that its caller names; or ''. */
export type PlatformInput<E extends EndpointDefinition> = InputOf<E> & {
  readonly tenantId: string;
};

/** Called after the commit with what the command tells, for notices, lines of the log and cookies. */
export type AfterCommit<Told> = (
  told: Told,
  request: FastifyRequest,
  reply: FastifyReply,
) => void | Promise<void>;

/** Registers an operation that runs a command of the platform (rules/engine#36). */
export function servePlatform<E extends EndpointDefinition, Loaded, Prepared, Told>(
  scope: FastifyInstance,
  { platformEngine }: Pick<Service, 'platformEngine'>,
  endpoint: E,
  command: Command<PlatformInput<E>, Loaded, Prepared>,
  afterCommit?: AfterCommit<Told>,
): void {
  assert(endpoint.idempotent === 'none', 'no operation of the platform takes a key');
  serveBy(scope, platformEngine, endpoint, async (request, reply) => {
    const input: PlatformInput<E> = { ...inputOf<E>(request), tenantId: request.tenantId };
    const by = askedBy(request);
    const done = await platformEngine.submit(command, { ...by, tenantId: platformId, input });
    if (afterCommit && done.told !== undefined)
      await afterCommit(done.told as Told, request, reply);
    return done;
  });
}

/** A tenant's clock now. @param known its row, where a query has read it already */
export async function tenantNow(
  db: ReadContext['db'],
  clocks: Service['clocks'],
  tenantId: string,
  known?: ClockFacts,
): Promise<string> {
  const facts =
    known ??
    (await db
      .selectFrom('tenants')
      .where('tenant_id', '=', tenantId)
      .select(['clock_offset_ms', 'clock_at'])
      .executeTakeFirstOrThrow());
  return clocks.at(tenantId, facts).now;
}

/**
 * Registers an operation without a command: a read, or a change outside the engine. A GET serves
 * HEAD too (rules/errors#11). It answers JSON, or a file.
 */
export function serveHandler<E extends EndpointDefinition>(
  scope: FastifyInstance,
  { db, clocks, vault }: Service,
  endpoint: E,
  handler: (context: ReadContext, input: InputOf<E>) => Promise<object>,
): void {
  const { status } = endpoint.success;

  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: schemaOf(endpoint),
    config: { endpoint },
    ...(endpoint.largestBody ? { bodyLimit: endpoint.largestBody } : {}),
    preValidation: nestQuery(endpoint),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { tenantId, actor, url } = request;
      const input = inputOf<E>(request);
      const pages = openPages(vault, tenantId, pathOf(url), request.query as object);
      const now: ReadContext['now'] = (facts) => tenantNow(db, clocks, tenantId, facts);
      const found = await handler({ tenantId, actor, db, pages, now }, input);
      if (isDownload(found)) return reply.headers(headersOf(found)).send(await found.open());
      return reply.code(status).header('content-type', jsonType).send(JSON.stringify(found));
    },
  });
}
