import type { FastifyReply } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from '../../core/fail.ts';
import type { Service } from '../../service.ts';

const windowSeconds = 60;

/** What a bucket counts the requests of. */
type BucketKind = 'tenant' | 'client' | 'session';

/**
 * Rate limits in windows of 60 s (rules/limits#12). Each process counts what it serves against its
 * share of the limit (rules/limits#13), so no request waits for a common counter.
 */
export function openRateLimit(
  { processRegistry, meters }: Pick<Service, 'processRegistry' | 'meters'>,
  kind: BucketKind,
) {
  const windows = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
  });

  return {
    /**
     * Counts a request and writes the state of its bucket into the reply's headers: the whole limit,
     * and what remains, estimated as this process's own rest times the number of processes.
     * @param limit requests per window
     * @throws ApiError rate_limited once this process's share of the window's `limit` is used
     */
    async take(bucket: string, limit: number, reply: FastifyReply): Promise<void> {
      const { consumedPoints, msBeforeNext } = await windows.consume(bucket);
      const resetSeconds = Math.ceil(msBeforeNext / 1_000);
      const share = processRegistry.share(limit);
      const left = Math.max(share - consumedPoints, 0) * processRegistry.live('api');
      reply.header('ratelimit-limit', limit);
      reply.header('ratelimit-remaining', Math.min(left, Math.max(limit - consumedPoints, 0)));
      reply.header('ratelimit-reset', resetSeconds);
      if (consumedPoints <= share) return;
      meters.rateLimited.inc({ bucket: kind });
      throw new ApiError('rate_limited', {
        retryAfter: resetSeconds,
        details: { retry_after: resetSeconds },
        message: `more than ${limit} requests in ${windowSeconds} seconds`,
      });
    },
  };
}
