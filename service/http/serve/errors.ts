import type { FastifyError, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { connectionLost } from '../../core/batch/conflicts.ts';
import { ApiError, fail, unavailable } from '../../core/fail.ts';
import { faultFacts } from '../../core/fault.ts';

/** Of a request's body. */
export const maximumBodyBytes = 65_536;

export const jsonType = 'application/json; charset=utf-8';

/**
 * On every reply, unless its route says otherwise: it may hold a secret, so nobody keeps it, and it
 * is what its Content-Type says (docs/decisions/request-log.md, The edges).
 */
export const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** The contract's error object (contract: Errors), as every reply that is no success carries it. */
export function envelope(error: ApiError, requestId: string): string {
  const { code, message, param, details } = error;
  return JSON.stringify({ error: { code, message, param, request_id: requestId, details } });
}

const badBody = (reason: string, message: string) => () =>
  fail('parameter_invalid', { details: { reason }, message });

export const noSuchPath = () => fail('not_found', { message: 'no such path' });
const tooLarge = badBody('too_large', 'the request is larger than 64 kB');
const wrongType = badBody('content_type', 'the Content-Type is not the one of this operation');
const tooSlow = badBody('timeout', 'the request did not arrive in time');
const malformed = badBody('malformed_request', 'the request is not well-formed');

/**
 * What Fastify and Node refuse by themselves, in the contract's words (decisions 1.0, General
 * replies): of their 408, 413, 415 and 431 the contract knows none.
 */
const known: ReadonlyMap<string, () => ApiError> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', tooLarge],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', wrongType],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', malformed],
  ['FST_ERR_BAD_URL', noSuchPath],
  ['FST_ERR_MAX_PARAM_LENGTH', noSuchPath],
  ['HPE_HEADER_OVERFLOW', tooLarge],
  ['ERR_HTTP_REQUEST_TIMEOUT', tooSlow],
]);

/** The refusal of a request that could not be read. */
export const refusalOfRequest = ({ code = '' }: { readonly code?: string }): ApiError =>
  (known.get(code) ?? malformed)();

/** The refusal that an error stands for, or null when it is a fault of ours. */
function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<FastifyError>;
  // A body that broke off has a code of Node's, or none.
  if (known.has(code) || (statusCode >= 400 && statusCode < 500)) return refusalOfRequest({ code });
  return connectionLost(error) ? unavailable('the database is away') : null;
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
    .headers({ ...commonHeaders, 'service-request-id': requestId, 'content-type': jsonType })
    .send(envelope(refusal, requestId));
}
