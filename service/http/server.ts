import { isUtf8 } from 'node:buffer';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { fail } from '../core/fail.ts';
import { sendError } from './errors.ts';
import { newRequestId } from './request_id.ts';
import { compileValidator } from './validation.ts';

const maximumBodyBytes = 65_536;
/** Ids up to 64 characters are looked up, longer ones are a 400; only the header's size ends them. */
const maximumParamLength = 16_384;

const json = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i;

const refuse = (reason: string, message: string) =>
  fail('parameter_invalid', { details: { reason }, message });

/** JSON in UTF-8 and nothing else. An empty body is an empty object to operations that need none. */
async function parseJson(request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (!json.test(request.headers['content-type'] ?? ''))
    throw refuse('content_type', 'the body must be application/json in UTF-8');
  if (body.length === 0) return undefined;
  try {
    if (isUtf8(body)) return JSON.parse(body.toString('utf8'));
  } catch {
    // The parser's message quotes the body.
  }
  throw refuse('malformed_json', 'the body is not valid JSON');
}

/**
 * Fastify as the contract wants it: the envelope for every error, its own too, a request id on every
 * reply, and one content type for each operation.
 */
export function openServer(log: Logger): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: maximumBodyBytes,
    genReqId: newRequestId,
    // While it drains, what still comes in is served; the listener closes the door.
    return503OnClosing: false,
    routerOptions: { maxParamLength: maximumParamLength },
    frameworkErrors: (error, request, reply) => void sendError(error, request.id, reply, log),
  });
  app.setValidatorCompiler(compileValidator);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('service-request-id', request.id);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request.id, reply, log));
  app.setNotFoundHandler((request, reply) =>
    sendError(fail('not_found', { message: 'no such path' }), request.id, reply, log),
  );
  return app;
}
