import { ApiError } from '@tenant-payments/engine/fail.ts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/**
 * Limits the messages that a customer's pages send in an hour of real time, over all its sessions:
 * no page writes to strangers at will. Each process counts by itself (rules/hosted#22).
 * @returns counts one message of a customer, by uuid; it throws ApiError rate_limited
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
