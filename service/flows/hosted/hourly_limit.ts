import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../../core/fail.ts';

/**
 * What a customer's pages may have sent in an hour of real time, however many sessions they are: a
 * page is no way to write to strangers, and a code is not guessed by asking for ever more of them.
 * Each process counts what it serves.
 * @returns counts one of a customer's, by uuid; it throws ApiError rate_limited once they are spent
 */
export function openHourlyLimit(most: number, what: string) {
  const hours = new RateLimiterMemory({ points: most, duration: 3_600 });
  return async (customerId: string): Promise<void> => {
    try {
      await hours.consume(customerId);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const retryAfter = Math.ceil(error.msBeforeNext / 1_000);
      throw new ApiError('rate_limited', {
        retryAfter,
        details: { retry_after: retryAfter },
        message: `more than ${most} ${what} in an hour`,
      });
    }
  };
}
