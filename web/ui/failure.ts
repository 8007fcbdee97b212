/** Why an operation failed. */
export type Failure =
  | { readonly kind: 'offline'; readonly requestId: null }
  | { readonly kind: 'service'; readonly requestId: string | null }
  | { readonly kind: 'busy'; readonly requestId: string | null; readonly seconds: number }
  | { readonly kind: 'lost'; readonly requestId: string | null }
  | {
      readonly kind: 'refused';
      readonly requestId: string | null;
      readonly code: string;
      readonly param: string | null;
      readonly reason: string | null;
      /** The present status of the session or record; only invalid_state has one. */
      readonly currentStatus: string | null;
    };

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** The contract's envelope of an error, as far as pages read it. */
export interface ErrorBody {
  readonly code?: string;
  readonly param?: string | null;
  readonly request_id?: string;
  readonly details?: { readonly [fact: string]: unknown } | null;
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Turns an error reply into a failure that the page can show. */
export function failureOf(status: number, error: ErrorBody, retryAfter: string | null): Failure {
  const requestId = error.request_id ?? null;
  if (status === 401) return { kind: 'lost', requestId };
  if (status === 429) return { kind: 'busy', requestId, seconds: Number(retryAfter) || 10 };
  if (status >= 500 || error.code === undefined) return { kind: 'service', requestId };
  return {
    kind: 'refused',
    requestId,
    code: error.code,
    param: error.param ?? null,
    reason: textOr(error.details?.reason),
    currentStatus: textOr(error.details?.current_status),
  };
}
