import { type ErrorCode, errorStatus } from '@tenant-payments/contract/core/errors.ts';
import { errorMessage } from '@tenant-payments/contract/resources/errors.ts';

export interface FailureMore {
  /** The request field at fault: `param` of the error object. */
  readonly param?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** A text more exact than the general one of the code. It may change; programs act on `code`. */
  readonly message?: string;
}

/** A refusal that a caller can act on: one of the contract's codes, never our own fault. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, more: FailureMore & { status?: number; retryAfter?: number } = {}) {
    // A refusal is an answer and not a fault: to write its stack down is a third of its cost.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(more.message ?? errorMessage(code, more));
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = more.status ?? errorStatus[code];
    this.param = more.param ?? null;
    this.details = more.details ?? null;
    this.retryAfterSeconds = more.retryAfter ?? null;
  }
}

/** The caller's mistake. The HTTP status follows from the code (rules/errors#2). */
export const fail = (code: ErrorCode, more: FailureMore = {}): ApiError => new ApiError(code, more);

/** Why a reply is 503, as `details.reason` says it (rules/errors#8). */
export type UnavailableReason =
  | 'overloaded'
  | 'database_away'
  | 'contention'
  | 'outside'
  | 'late'
  | 'starting'
  | 'cell'
  | 'stored_json'
  | 'chaos'
  | 'busy';

/**
 * 503: the caller may send the same call again (rules/errors#8).
 * @param reason absent: too much of one kind at once
 */
export const unavailable = (
  message: string,
  retryAfter = 1,
  reason: UnavailableReason = 'busy',
): ApiError =>
  new ApiError('internal_error', { message, status: 503, retryAfter, details: { reason } });

/**
 * The error that `decide` throws where a command before it in the batch changed which rows it needs: the next batch
 * loads and decides it again. The caller never sees it.
 */
export class LoadAgain extends Error {}

/**
 * Stored JSON that this release cannot read (rules/engine#34). Nothing is decided on it: an operator mends
 * it. It says where the fault is, and never what is stored there.
 */
export class StoredJsonError extends Error {
  override readonly name = 'StoredJsonError';
  readonly facts: {
    /** `table.column`. */
    readonly column: string;
    /** null: it is of no Tenant. */
    readonly tenant_id: string | null;
    /** The place in the value: `limits.load_daily`. */
    readonly at: string;
    readonly reason: string;
  };

  constructor(facts: StoredJsonError['facts']) {
    super(`${facts.column} cannot be read: ${facts.at} (${facts.reason})`);
    this.facts = facts;
  }
}

/** Our mistake: a statement that must hold. Its failure is a 500 and an alarm, never a refusal. */
export function assert(condition: unknown, statement: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${statement}`);
}
