import type { FastifyReply } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from '../core/fail.ts';

const windowSeconds = 60;

/** Windows of 60 s in this process (decisions 1.8, Rates). A bucket's limit is its caller's to say. */
export function openRateLimit() {
  const windows = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
  });

  return {
    /**
     * Counts a request and writes the bucket's state into the reply's headers.
     * @throws ApiError rate_limited once `limit` requests of the window are spent
     */
    async take(bucket: string, limit: number, reply: FastifyReply): Promise<void> {
      const { consumedPoints, msBeforeNext } = await windows.consume(bucket);
      const resetSeconds = Math.ceil(msBeforeNext / 1_000);
      reply.header('ratelimit-limit', limit);
      reply.header('ratelimit-remaining', Math.max(limit - consumedPoints, 0));
      reply.header('ratelimit-reset', resetSeconds);
      if (consumedPoints > limit)
        throw new ApiError('rate_limited', {
          retryAfter: resetSeconds,
          details: { retry_after: resetSeconds },
          message: `more than ${limit} requests in ${windowSeconds} seconds`,
        });
    },
  };
}
