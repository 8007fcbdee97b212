import { rates } from '@tenant-payments/contract/core/numbers.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import type { FastifyReply } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Service } from '../../service.ts';
import { requestEvent } from '../log/security.ts';

const { windowSeconds } = rates;

/** The kinds of caller whose requests a bucket counts. */
export type BucketKind = 'tenant' | 'caller' | 'client' | 'session' | 'address';

/** A bucket after a request was counted in it, or as if it had been. */
export interface BucketState {
  readonly kind: BucketKind;
  /** Requests per window. */
  readonly limit: number;
  readonly remaining: number;
  /** Until the whole limit is there again. */
  readonly resetSeconds: number;
  /** Until the next request is let, where this one was over. */
  readonly retrySeconds: number;
  /** Whether there were more requests than this process's share of the limit. */
  readonly isOver: boolean;
}

type Show = (state: BucketState, reply: FastifyReply) => void;

/**
 * Makes what writes the state of a bucket into the reply's headers.
 * @returns a function that throws ApiError rate_limited where the bucket is over its limit
 */
export function openShow({ meters, log }: Pick<Service, 'meters' | 'log'>): Show {
  return ({ kind, limit, remaining, resetSeconds, retrySeconds, isOver }, reply) => {
    reply.header('ratelimit-limit', limit);
    reply.header('ratelimit-remaining', remaining);
    reply.header('ratelimit-reset', resetSeconds);
    if (!isOver) return;
    meters.rateLimited.inc({ bucket: kind });
    // A Tenant that is in a hurry is no stranger.
    if (kind !== 'tenant') requestEvent(log, reply.request, 'rate_limited', { bucket: kind });
    throw new ApiError('rate_limited', {
      retryAfter: retrySeconds,
      details: { retry_after: retrySeconds },
      message: `more than ${limit} requests in ${windowSeconds} seconds`,
    });
  };
}

/**
 * Limits in windows of 60 s, each for so many tries and no more (rules/limits#14). Each process counts what it
 * serves against its share of the limit (rules/limits#13), so no request waits for a common counter.
 */
export function openRateLimit(
  service: Pick<Service, 'processRegistry' | 'meters' | 'log'>,
  kind: BucketKind,
) {
  const { processRegistry } = service;
  const show = openShow(service);
  const windows = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
  });

  /** The state of a bucket, whose rest is estimated as this process's own rest times the number of processes. */
  function stateOf(limit: number, consumed: number, msBeforeNext: number): BucketState {
    const share = processRegistry.share(limit);
    const left = Math.max(share - consumed, 0) * processRegistry.live('api');
    const resetSeconds = Math.ceil(msBeforeNext / 1_000);
    return {
      kind,
      limit,
      remaining: Math.min(left, Math.max(limit - consumed, 0)),
      resetSeconds,
      retrySeconds: resetSeconds,
      isOver: consumed > share,
    };
  }

  /** Counts a request. */
  async function count(bucket: string, limit: number): Promise<BucketState> {
    const { consumedPoints, msBeforeNext } = await windows.consume(bucket);
    return stateOf(limit, consumedPoints, msBeforeNext);
  }

  return {
    count,
    show,
    /** The state after one request more, which is not counted; null when none was counted yet. */
    async next(bucket: string, limit: number): Promise<BucketState | null> {
      const found = await windows.get(bucket);
      return found && stateOf(limit, found.consumedPoints + 1, found.msBeforeNext);
    },
    /** Counts a request, and shows the bucket. @throws ApiError rate_limited */
    take: async (bucket: string, limit: number, reply: FastifyReply): Promise<void> =>
      show(await count(bucket, limit), reply),
    /** Takes back one request that was counted. */
    async giveBack(bucket: string): Promise<void> {
      await windows.reward(bucket);
    },
  };
}
