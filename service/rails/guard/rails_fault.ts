import { ApiError } from '@tenant-payments/engine/fail.ts';
import type { RailsMethod } from './methods.ts';

/**
 * Why a call of the rails gave no answer.
 * - `provider_timeout`: none came within its deadline.
 * - `provider_threw`: it threw.
 * - `provider_busy`: too many calls of this method run, or the same one still does. It was not called.
 * - `provider_paused`: it has failed ten times in a row, and is left alone for a while. It was not called.
 */
export type RailsCause =
  | 'provider_timeout'
  | 'provider_threw'
  | 'provider_busy'
  | 'provider_paused';

/** 503: an outside service gave no answer. Nothing is known of what it did. */
export class RailsFault extends ApiError {
  override readonly name = 'RailsFault';
  readonly method: RailsMethod;
  readonly reason: RailsCause;

  /** @param thrown what the module threw, for the log alone */
  constructor(method: RailsMethod, reason: RailsCause, retryAfter: number, thrown?: unknown) {
    const message = 'an outside service does not answer; try again';
    super('internal_error', { message, status: 503, retryAfter, details: { reason: 'outside' } });
    this.method = method;
    this.reason = reason;
    if (thrown !== undefined) this.cause = thrown;
  }

  /** The outside was called. */
  get wasCalled(): boolean {
    return this.reason === 'provider_timeout' || this.reason === 'provider_threw';
  }
}
