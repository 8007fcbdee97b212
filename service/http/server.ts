import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { ShownBy } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Cause } from '../operations/causes.ts';
import { addressesOf } from './auth/forwarded.ts';
import { routeAsGet } from './head.ts';
import { tellInvalidInput, tellRefusedAccess } from './log/security.ts';
import { rememberMethods } from './serve/allow.ts';
import { keepDeadlines } from './serve/deadline.ts';
import {
  commonHeaders,
  isNoSuchPath,
  maximumBodyBytes,
  refusalOf,
  sendError,
  sendNoSuchPath,
  wrongType,
} from './serve/errors.ts';
import { newRequestId } from './serve/request_id.ts';
import { compileValidator } from './serve/validation.ts';

/** An id longer than 64 characters is a 400 of its schema; only the size of the header ends it. */
const maximumParamLength = 16_384;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller is known; empty before. */
    tenantId: string;
    /** When its headers had arrived, in `performance.now` time. */
    begunAtMs: number;
    /** The trace that it belongs to, as the `traceparent` of what it asks for; null: none. */
    trace: string | null;
    /** Set where the operation honours an Idempotency-Key and one was sent. */
    keyHash: string | null;
    /** Set where the reply shows an event's record. */
    shownBy: ShownBy | null;
    /** Set with the tenant. */
    actor: Actor;
    /** The cause of a reply of 5xx. */
    cause: Cause | null;
  }
}

const json = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i;

const refuse = (reason: string, message: string) =>
  fail('parameter_invalid', { details: { reason }, message });

/** Takes only JSON in UTF-8. An empty body counts as an empty object. */
async function parseJson(request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (!json.test(request.headers['content-type'] ?? '')) throw wrongType();
  if (body.length === 0) return undefined;
  let parsed: unknown;
  try {
    if (isUtf8(body)) parsed = JSON.parse(body.toString('utf8'));
  } catch {
    // The parser's message quotes the body.
  }
  // Fastify takes null for an absent body.
  if (parsed === null) throw refuse('type', 'the body must be a JSON object');
  if (parsed !== undefined) return parsed;
  throw refuse('malformed_json', 'the body is not valid JSON');
}

/** The path of a URL in absolute form; its host is ignored (RFC 9112, 3.2.2). */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Before anything reads the client's address, so that all of them read the same. */
function holdForwarded(headers: IncomingHttpHeaders): void {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded !== undefined) headers['x-forwarded-for'] = addressesOf(String(forwarded));
}

const neverCalled = (): never => {
  throw new Error('schemas of requests have their own compiler, and replies have no schema');
};
/** Fastify would load compilers of its own, a twentieth of the service's code, before it is given ours. */
const noCompilers = { buildValidator: neverCalled, buildSerializer: neverCalled };

/**
 * Makes the Fastify instance: the contract's error object for every error, also Fastify's own, a
 * request id on every reply, and one content type for each operation.
 * @param trustedProxies addresses and ranges whose X-Forwarded-For is believed
 */
export function openServer(log: Logger, trustedProxies: readonly string[] = []): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: maximumBodyBytes,
    genReqId: newRequestId,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: noCompilers },
    rewriteUrl(raw) {
      routeAsGet(raw);
      holdForwarded(raw.headers);
      return originForm(raw.url ?? '/');
    },
    // Requests that arrive during the drain are served; the listener takes no new connections.
    return503OnClosing: false,
    routerOptions: { maxParamLength: maximumParamLength },
    frameworkErrors: (error, request, reply) => void sendError(error, request.id, reply, log),
  });
  app.setValidatorCompiler(compileValidator);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson);
  app.decorateRequest('tenantId', '');
  app.decorateRequest('begunAtMs', 0);
  app.decorateRequest('trace', null);
  app.decorateRequest('keyHash', null);
  app.decorateRequest('shownBy', null);
  app.decorateRequest('act', null);
  app.decorateRequest('refusedInProduction', null);
  app.decorateRequest('actor');
  app.decorateRequest('cause', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.begunAtMs = performance.now();
    reply.headers(commonHeaders).header('service-request-id', request.id);
    done();
  });
  rememberMethods(app);
  keepDeadlines(app);
  // An unknown path is a 404, also when the body is wrong.
  app.setErrorHandler((error, request, reply) => {
    tellRefusedAccess(log, request, error);
    const refusal = refusalOf(error);
    if (refusal) tellInvalidInput(log, request, refusal);
    return request.is404 || isNoSuchPath(error)
      ? sendNoSuchPath(request, reply, log)
      : sendError(error, request.id, reply, log);
  });
  app.setNotFoundHandler((request, reply) => sendNoSuchPath(request, reply, log));
  return app;
}
