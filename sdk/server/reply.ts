import { errorOf, type TenantPaymentsError } from './errors.ts';
import type { ErrorCode } from './generated/names.ts';
import type { Open } from './open.ts';
import { isRetryableStatus } from './retry.ts';

export interface RateLimit {
  /** Requests in a window. */
  readonly limit: number;
  /** Requests left in it. */
  readonly remaining: number;
  /** Whole seconds until the next window. */
  readonly resetSeconds: number;
}

/** The facts of a reply besides its resource. */
export interface ReplyFacts {
  readonly status: number;
  readonly requestId: string | null;
  /** True when the service had executed this call before and sent the stored reply. */
  readonly replayed: boolean;
  readonly rateLimit: RateLimit | null;
  readonly idempotencyKey: string | null;
  /** Requests sent for this call. */
  readonly attempts: number;
}

export interface Reply<T> {
  readonly data: T;
  readonly response: ReplyFacts;
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
    Number.parseInt(headers.get(`ratelimit-${name}`) ?? '', 10),
  ) as [number, number, number];
  return Number.isNaN(limit + remaining + resetSeconds) ? null : { limit, remaining, resetSeconds };
}

export function factsOf(
  response: Response,
  idempotencyKey: string | null,
  attempts: number,
): ReplyFacts {
  return {
    status: response.status,
    requestId: response.headers.get('service-request-id'),
    replayed: response.headers.get('idempotent-replayed') === 'true',
    rateLimit: rateLimitOf(response.headers),
    idempotencyKey,
    attempts,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body of every reply that is not a success. */
interface ErrorEnvelope {
  readonly error: {
    readonly code: Open<ErrorCode>;
    readonly message: string;
    readonly param: string | null;
    readonly request_id: string;
    readonly details: Readonly<Record<string, unknown>> | null;
  };
}

function isEnvelope(value: unknown): value is ErrorEnvelope {
  const error = (value as ErrorEnvelope | null | undefined)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string';
}

/** A reply that the service cannot have written. Its text is not shown: it may hold anything. */
function unexpected(facts: ReplyFacts): TenantPaymentsError {
  const { status } = facts;
  const redirect = status >= 300 && status < 400;
  const message = redirect
    ? `HTTP ${status}: redirects are not followed, since they would carry the credentials; correct baseUrl`
    : `HTTP ${status} without the service's JSON; check that baseUrl is right and that no proxy replies instead`;
  const retryable = isRetryableStatus(status);
  return errorOf({ ...facts, code: 'unexpected_reply', message, retryable });
}

/**
 * The resource of a reply with its facts, or the error of the reply.
 * @param baseUrl where the pages of errors are served
 */
export function readReply(
  facts: ReplyFacts,
  text: string,
  baseUrl: string,
): Reply<unknown> | TenantPaymentsError {
  const value = parsed(text);
  const ok = facts.status >= 200 && facts.status < 300;
  if (ok && typeof value === 'object' && value !== null) return { data: value, response: facts };
  if (ok || !isEnvelope(value)) return unexpected(facts);
  const { code, message, param, request_id: requestId, details } = value.error;
  const retryable = isRetryableStatus(facts.status);
  const docsUrl = `${baseUrl}/docs/reference/errors/${encodeURIComponent(code)}`;
  return errorOf({ ...facts, code, message, param, requestId, details, retryable, docsUrl });
}
