import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import { ApiError, fail, StoredJsonError, unavailable } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { connectionLost } from '@tenant-payments/engine/lost.ts';
import { traceFact } from '@tenant-payments/engine/trace.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { causeOf } from '../../operations/causes.ts';
import { databaseCause } from '../../operations/database_causes.ts';
import { openLineLimit } from '../../operations/line_limit.ts';
import { allowOf } from './allow.ts';

/** The largest body of a request. */
export const maximumBodyBytes = sizes.requestBody;

export const jsonType = 'application/json; charset=utf-8';

/**
 * On every reply, unless its route sets others: a reply may hold a secret, so no cache may keep it
 * (rules/errors#4); opened as a page it may do nothing (rules/security#23).
 */
export const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** The error object of every reply that is no success (rules/errors#1), as JSON. */
export function envelope(error: ApiError, requestId: string): string {
  const { code, message, param, details } = error;
  return JSON.stringify({ error: { code, message, param, request_id: requestId, details } });
}

const badBody = (reason: string, message: string) => () =>
  fail('parameter_invalid', { details: { reason }, message });

const noPath = 'no such path';
export const noSuchPath = () => fail('not_found', { message: noPath });
export const isNoSuchPath = (error: unknown): boolean =>
  error instanceof ApiError && error.message === noPath;

const tooLarge = badBody('too_large', 'the request is larger than 64 kB');
/** @param expected the media type that the operation takes */
export const wrongType = (expected = 'application/json') =>
  fail('parameter_invalid', {
    details: { reason: 'content_type', expected },
    message: `the Content-Type must be ${expected}, in UTF-8`,
  });
const tooSlow = badBody('timeout', 'the request did not arrive in time');
const malformed = badBody('malformed_request', 'the request is not well-formed');

/**
 * Refusals of Fastify and Node as errors of the contract, which has no 408, 413, 415 and 431
 * (rules/errors#12).
 */
const known: ReadonlyMap<string, () => ApiError> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', tooLarge],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', () => wrongType()],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', malformed],
  ['FST_ERR_BAD_URL', noSuchPath],
  ['FST_ERR_MAX_PARAM_LENGTH', noSuchPath],
  ['HPE_HEADER_OVERFLOW', tooLarge],
  ['ERR_HTTP_REQUEST_TIMEOUT', tooSlow],
]);

/** The refusal of a request that could not be read. */
export const refusalOfRequest = ({ code = '' }: { readonly code?: string }): ApiError =>
  (known.get(code) ?? malformed)();

/** A person mends what is stored. */
const mendedSeconds = 60;

/** The refusal for an error, or null when it is a fault of the service. */
export function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof StoredJsonError)
    return unavailable(error.message, mendedSeconds, 'stored_json');
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<FastifyError>;
  // A body that broke off has a code from Node, or none.
  if (known.has(code) || (statusCode >= 400 && statusCode < 500)) return refusalOfRequest({ code });
  return connectionLost(error) ? unavailable('the database is away', 1, 'database_away') : null;
}

/** 500: the log says more, by the request's id. */
const unexpected = () =>
  fail('internal_error', { message: 'an unexpected error', details: { reason: 'unexpected' } });

const limitAway = openLineLimit();

/**
 * Logs a failed request. Of those that find the database away ten lines a second say why; of faults of the service
 * each.
 */
function tellFault(error: unknown, { id, trace }: FastifyRequest, log: Logger): void {
  const named = { request_id: id, ...traceFact(trace) };
  const cause = databaseCause(error);
  if (cause === null) {
    const said = { ...named, cause: 'unexpected', fault: faultFacts(error) };
    log.error(said, 'a request failed with an unexpected error; the reply was 500');
    return;
  }
  const left_out = limitAway();
  if (left_out !== null)
    log.warn({ ...named, cause, left_out }, 'the database is away; the reply was 503');
}

/** Replies with the error object. A fault of the service is logged by request id and not shown. */
export function sendError(error: unknown, requestId: string, reply: FastifyReply, log: Logger) {
  const refusal = refusalOf(error) ?? unexpected();
  if (refusal.status >= 500) reply.request.cause = causeOf(error);
  if (error instanceof StoredJsonError)
    log.error(
      {
        alarm: 'stored_json',
        cause: 'stored_json',
        request_id: requestId,
        ...traceFact(reply.request.trace),
        ...error.facts,
      },
      'what is stored cannot be read; the reply was 503',
    );
  else if (refusal.status >= 500 && !(error instanceof ApiError))
    tellFault(error, reply.request, log);
  if (refusal.retryAfterSeconds !== null) reply.header('retry-after', refusal.retryAfterSeconds);
  if (refusal.code === 'authentication_required') reply.header('www-authenticate', 'Bearer');
  return reply
    .code(refusal.status)
    .headers({ ...commonHeaders, 'service-request-id': requestId, 'content-type': jsonType })
    .send(envelope(refusal, requestId));
}

/** Replies that there is no such path, or none with this method: then it names those of the path (rules/errors#11). */
export function sendNoSuchPath(request: FastifyRequest, reply: FastifyReply, log: Logger) {
  const allow = allowOf(request);
  if (allow === null) return sendError(noSuchPath(), request.id, reply, log);
  reply.header('allow', allow);
  const message = `no ${request.method} at this path: it takes ${allow}`;
  return sendError(fail('not_found', { message }), request.id, reply, log);
}
