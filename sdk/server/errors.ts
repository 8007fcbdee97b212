import type { DetailsOf } from './details.ts';
import type { ErrorCode } from './generated/names.ts';
import type { Open } from './open.ts';

/**
 * Codes of failures without an error object of the service: no connection, no reply in time, or a
 * reply of another server (a proxy's page, a redirect).
 */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'unexpected_reply';
export type AnyErrorCode = ErrorCode | ClientErrorCode;

export interface ErrorFacts {
  readonly code: Open<AnyErrorCode>;
  readonly message: string;
  readonly retryable: boolean;
  readonly status?: number;
  readonly param?: string | null;
  readonly requestId?: string | null;
  readonly details?: Readonly<Record<string, unknown>> | null;
  readonly idempotencyKey?: string | null;
  readonly docsUrl?: string | null;
  readonly cause?: unknown;
}

/** `session_invalid (token, used): ... (request req_...)`: code, param and reason come first. */
function sentenceOf({ code, message, param, details, requestId }: ErrorFacts): string {
  const facts = [param, details?.reason].filter((fact) => typeof fact === 'string' && fact !== '');
  const fault = facts.length > 0 ? ` (${facts.join(', ')})` : '';
  return `${code}${fault}: ${message}${requestId ? ` (request ${requestId})` : ''}`;
}

/**
 * A call that did not succeed. Act on `code`; `message` may change and is not for customers
 * (rules/errors#5). It never holds a credential, a token or a request's body.
 */
export class TenantPaymentsError extends Error {
  override readonly name: string = 'TenantPaymentsError';
  readonly code: Open<AnyErrorCode>;
  /** The HTTP status; null when no reply came. */
  readonly status: number | null;
  /** The request field at fault. */
  readonly param: string | null;
  /** Identifies the call in the service's log and in the portal. */
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  /** True when the same call, with the same key, may succeed later. */
  readonly retryable: boolean;
  /** A call that is sent again with this key never takes effect twice. */
  readonly idempotencyKey: string | null;
  /** The service's page that explains the code; null when the service did not reply. */
  readonly docsUrl: string | null;

  constructor(facts: ErrorFacts) {
    super(sentenceOf(facts), { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.param = facts.param ?? null;
    this.requestId = facts.requestId ?? null;
    this.details = facts.details ?? null;
    this.retryable = facts.retryable;
    this.idempotencyKey = facts.idempotencyKey ?? null;
    this.docsUrl = facts.docsUrl ?? null;
  }
}

/** 400: a field is missing or wrong; `param` names it. */
export class InvalidRequestError extends TenantPaymentsError {
  override readonly name = 'InvalidRequestError';
}

/** 401: wrong client credentials, or an access token that a second try could not renew. */
export class AuthenticationError extends TenantPaymentsError {
  override readonly name = 'AuthenticationError';
}

/** 403: the Tenant or this environment may not do this. */
export class PermissionError extends TenantPaymentsError {
  override readonly name = 'PermissionError';
}

/** 404: no such record of this Tenant. */
export class NotFoundError extends TenantPaymentsError {
  override readonly name = 'NotFoundError';
}

/** 409: the record's state, or another record, does not allow it. */
export class ConflictError extends TenantPaymentsError {
  override readonly name = 'ConflictError';
}

/** 422: a rule refuses it, such as `limit_exceeded`; `details` says what would pass. */
export class UnprocessableError extends TenantPaymentsError {
  override readonly name = 'UnprocessableError';
}

/** 429, also after all retries. */
export class RateLimitError extends TenantPaymentsError {
  override readonly name = 'RateLimitError';
}

/** 5xx, also after all retries, or a reply that the service cannot have written. */
export class ServiceError extends TenantPaymentsError {
  override readonly name = 'ServiceError';
}

const classes: Readonly<Record<number, typeof TenantPaymentsError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
};

/** The error of a reply, of the class of its status. */
export function errorOf(facts: ErrorFacts): TenantPaymentsError {
  const isOurs = facts.code !== 'unexpected_reply';
  const Kind = (isOurs ? classes[facts.status ?? 0] : undefined) ?? ServiceError;
  return new Kind(facts);
}

interface Unanswered {
  readonly message: string;
  readonly cause: unknown;
  readonly idempotencyKey: string | null;
}

/** No reply came. Whether the call took effect is unknown; `cause` is the error of fetch. */
export class ConnectionError extends TenantPaymentsError {
  override readonly name: string = 'ConnectionError';

  constructor(facts: Unanswered, code: ClientErrorCode = 'connection_failed') {
    super({ ...facts, code, retryable: true });
  }
}

/** No complete reply came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';

  constructor(facts: Unanswered) {
    super(facts, 'timed_out');
  }
}

/**
 * Narrows a caught error to one of the codes, and its `details` with it:
 * `if (isCode(error, 'insufficient_funds')) show(error.details.available)`.
 */
export function isCode<const C extends AnyErrorCode>(
  error: unknown,
  ...codes: readonly [C, ...C[]]
): error is TenantPaymentsError & { readonly code: C; readonly details: DetailsOf<C> } {
  return error instanceof TenantPaymentsError && codes.some((code) => code === error.code);
}
