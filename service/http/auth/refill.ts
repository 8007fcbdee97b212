import { rates } from '@tenant-payments/contract/core/numbers.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Service } from '../../service.ts';
import { type BucketKind, type BucketState, openShow } from './rate_limit.ts';

const { windowSeconds } = rates;
const mostBuckets = 100_000;

/** Requests that were let and have not leaked yet, at a moment of this process. */
interface Level {
  readonly requests: number;
  readonly atMs: number;
}

/** A level after another request. */
export interface CountedLevel {
  /** A request that is not let counts for nothing. */
  readonly level: Level;
  readonly isOver: boolean;
  readonly left: number;
  readonly resetSeconds: number;
  readonly retrySeconds: number;
}

/** Rounding of the leak must not refuse a request whose moment has come. */
const rounding = 1e-9;

/**
 * Counts a request in a bucket that holds `share` requests and leaks as many in a window, evenly: who is over waits
 * for the next request alone, and not for a window to end (rules/limits#15).
 */
export function countIn(share: number, before: Level | undefined, nowMs: number): CountedLevel {
  const perMs = share / (windowSeconds * 1_000);
  const seconds = (requests: number) => Math.ceil(Math.max(requests, 0) / perMs / 1_000 - rounding);
  const held = before ? Math.max(before.requests - (nowMs - before.atMs) * perMs, 0) : 0;
  const isOver = held + 1 > share + rounding;
  const requests = isOver ? held : held + 1;
  return {
    level: { requests, atMs: nowMs },
    isOver,
    left: isOver ? 0 : Math.floor(share - requests + rounding),
    resetSeconds: seconds(requests),
    retrySeconds: Math.max(seconds(held + 1 - share), 1),
  };
}

/**
 * Rate limits that refill evenly (rules/limits#12). Each process counts what it serves against its share of the limit
 * (rules/limits#13), so no request waits for a common counter.
 */
export function openRefill(
  service: Pick<Service, 'processRegistry' | 'meters' | 'log'>,
  kind: BucketKind,
) {
  const levels = new LRUCache<string, Level>(atMost(mostBuckets));
  const show = openShow(service);
  const { processRegistry } = service;

  return {
    /** Counts a request, and shows the bucket. @throws ApiError rate_limited */
    take(bucket: string, limit: number, reply: FastifyReply): void {
      const counted = countIn(processRegistry.share(limit), levels.get(bucket), performance.now());
      levels.set(bucket, counted.level);
      const { isOver, left, resetSeconds, retrySeconds } = counted;
      const remaining = Math.min(left * processRegistry.live('api'), limit);
      const state: BucketState = { kind, limit, remaining, resetSeconds, retrySeconds, isOver };
      show(state, reply);
    },
  };
}

export type Refill = ReturnType<typeof openRefill>;
