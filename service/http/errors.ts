import type { FastifyError, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { connectionLost } from '../core/conflicts.ts';
import { ApiError, fail, unavailable } from '../core/fail.ts';

export const jsonType = 'application/json; charset=utf-8';

/** The contract's error object (contract: Errors), as every reply that is no success carries it. */
export function envelope(error: ApiError, requestId: string): string {
  const { code, message, param, details } = error;
  return JSON.stringify({ error: { code, message, param, request_id: requestId, details } });
}

const badBody = (reason: string, message: string) => () =>
  fail('parameter_invalid', { details: { reason }, message });

const notFound = () => fail('not_found', { message: 'no such path' });
const tooLarge = badBody('too_large', 'the request is larger than 64 kB');
const wrongType = badBody('content_type', 'the Content-Type is not the one of this operation');
const malformed = badBody('malformed_request', 'the request is not well-formed');

/** What Fastify refuses by itself, in the contract's words (decisions 1.0, General replies). */
const ofFastify: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: wrongType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformed,
  FST_ERR_BAD_URL: notFound,
  FST_ERR_MAX_PARAM_LENGTH: notFound,
};

/** The refusal that an error stands for, or null when it is a fault of ours. */
function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<FastifyError>;
  const known = ofFastify[code];
  if (known) return known();
  // A body that broke off has no code of Fastify's.
  if (statusCode >= 400 && statusCode < 500) return malformed();
  return connectionLost(error) ? unavailable('the database is away') : null;
}

/** What a log may say of a fault: never its message, which may quote what a person sent. */
export function faultFacts(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  const asserted = error.message.startsWith('assertion failed: ');
  return {
    type: error.name,
    ...(asserted ? { statement: error.message } : {}),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint, table }),
    frames: frames?.map((line) => line.trim()),
  };
}

/** Answers with the envelope. A fault of ours is logged under the request's id and told to nobody. */
export function sendError(error: unknown, requestId: string, reply: FastifyReply, log: Logger) {
  const refusal = refusalOf(error) ?? fail('internal_error', { message: 'an unexpected error' });
  if (refusal.status >= 500 && !(error instanceof ApiError))
    log.error({ request_id: requestId, fault: faultFacts(error) }, 'a request failed');
  if (refusal.retryAfterSeconds !== null) reply.header('retry-after', refusal.retryAfterSeconds);
  if (refusal.code === 'authentication_required') reply.header('www-authenticate', 'Bearer');
  return reply
    .code(refusal.status)
    .header('service-request-id', requestId)
    .header('content-type', jsonType)
    .send(envelope(refusal, requestId));
}
