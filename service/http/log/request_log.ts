import { setImmediate as nextTurn } from 'node:timers/promises';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { connectionLost } from '@tenant-payments/engine/lost.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Meters } from '../../operations/meters.ts';
import { sentMethod } from '../head.ts';
import { maximumBodyBytes } from '../serve/errors.ts';
import {
  type AnsweredRequest,
  insertRows,
  type RequestRow,
  rowOf,
  sweepRows,
} from './request_rows.ts';
import { openShares } from './request_share.ts';

/** The most that waits in memory: requests, and bytes of their bodies. */
const maximumWaiting = 4_096;
const maximumWeight = 16 * 1_024 * 1_024;
/** 1,000 requests a second are written. */
const batchSize = 200;
const pauseMs = 200;
const pauseAfterFailureMs = 1_000;
/** Requests redacted before other work gets its turn: about 15 µs each. */
const redactedAtOnce = 10;
const keptForMs = lifetimes.requestLog * 1_000;
const sweepEveryMs = 3_600_000;
const warnEveryMs = 60_000;

/** The results for the requests that were recorded. */
export interface RequestLogCounts {
  written: number;
  /** Requests beyond their tenant's share. */
  leftOut: number;
  /** Memory was full, or they could not be written. */
  dropped: number;
}

/** The API request log (rules/operations#20): the table `requests`, redacted before it is written. */
export interface RequestLog {
  /**
   * Records a request that is being answered, if there is room: every refusal, and all of a
   * tenant's requests up to its share. It only keeps a reference and cannot fail.
   */
  record(answered: AnsweredRequest): void;
  /** Resolves when all recorded requests are written or dropped. Never rejects. */
  flush(): Promise<void>;
  /** Flushes, and takes no more. */
  close(): Promise<void>;
  readonly counts: Readonly<RequestLogCounts>;
}

interface Needs {
  readonly pool: pg.Pool;
  readonly clocks: Pick<Clocks, 'realNow'>;
  readonly log: Logger;
  readonly meters: Meters;
}

/**
 * Opens the request log. No request waits for it (rules/operations#23): while the database is away,
 * rows that do not fit into memory are dropped.
 */
export function openRequestLog({ pool, clocks, log, meters }: Needs): RequestLog {
  const counts: RequestLogCounts = { written: 0, leftOut: 0, dropped: 0 };
  const hasRoom = openShares();
  let waiting: AnsweredRequest[] = [];
  let weight = 0;
  /** Redacted, but the database was away. */
  let held: readonly RequestRow[] = [];
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<boolean> | null = null;
  let isClosed = false;
  let warnAtMs = 0;
  let sweepAtMs = 0;

  const isEmpty = () => waiting.length === 0 && held.length === 0;

  function drop(count: number, error?: unknown): void {
    counts.dropped += count;
    meters.requestLogDropped.inc(count);
    const nowMs = clocks.realNow();
    if (nowMs < warnAtMs) return;
    warnAtMs = nowMs + warnEveryMs;
    const fault = error === undefined ? {} : { fault: faultFacts(error) };
    log.warn({ ...counts, ...fault }, 'the request log drops requests; the API is not affected');
  }

  async function redacted(batch: readonly AnsweredRequest[]): Promise<RequestRow[]> {
    const rows: RequestRow[] = [];
    for (const [index, answered] of batch.entries()) {
      try {
        rows.push(rowOf(answered));
      } catch (error) {
        drop(1, error);
      }
      if (index % redactedAtOnce === 0) await nextTurn();
    }
    return rows;
  }

  async function takeBatch(): Promise<readonly RequestRow[]> {
    if (held.length > 0) return held;
    const batch = waiting.slice(0, batchSize);
    waiting = waiting.slice(batchSize);
    weight -= batch.reduce((sum, answered) => sum + answered.weight, 0);
    return redacted(batch);
  }

  async function sweep(): Promise<void> {
    const nowMs = clocks.realNow();
    if (nowMs < sweepAtMs) return;
    const isMore = await sweepRows(pool, instantOf(nowMs - keptForMs));
    if (!isMore) sweepAtMs = nowMs + sweepEveryMs;
  }

  /** @returns whether it was written */
  async function writeBatch(): Promise<boolean> {
    const rows = await takeBatch();
    try {
      await insertRows(pool, rows);
    } catch (error) {
      const isAway = connectionLost(error) && !isClosed;
      held = isAway ? rows : [];
      if (!isAway) drop(rows.length, error);
      return false;
    }
    held = [];
    counts.written += rows.length;
    await sweep().catch((error: unknown) => drop(0, error));
    return true;
  }

  function begin(): Promise<boolean> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    working = writeBatch().then((isWritten) => {
      working = null;
      if (!isEmpty()) wake(isWritten ? pauseMs : pauseAfterFailureMs);
      return isWritten;
    });
    return working;
  }

  /** The timer keeps no process alive. */
  function wake(afterMs: number): void {
    if (timer === null && working === null) timer = setTimeout(begin, afterMs).unref();
  }

  async function flush(): Promise<void> {
    while (working !== null || !isEmpty()) {
      const isOther = working !== null;
      const isWritten = await (working ?? begin());
      if (!isWritten && !isOther) return;
    }
  }

  const sweeper = setInterval(() => void sweep().catch(() => {}), sweepEveryMs).unref();

  return {
    counts,
    flush,
    record(answered) {
      const { tenantId, atMs, status } = answered;
      // Refusals need no share, up to half of the memory: one tenant's must not fill all of it.
      const isRefusal = status >= 400 && waiting.length < maximumWaiting / 2;
      if (!hasRoom(tenantId, atMs) && !isRefusal) {
        counts.leftOut += 1;
        meters.requestLogDropped.inc();
        return;
      }
      if (isClosed || waiting.length >= maximumWaiting || weight >= maximumWeight) return drop(1);
      waiting.push(answered);
      weight += answered.weight;
      wake(pauseMs);
    },
    async close() {
      clearInterval(sweeper);
      isClosed = true;
      await flush();
      if (waiting.length > 0) drop(waiting.length);
    },
  };
}

/** A body that came in chunks has no length in its headers. */
const weightOf = ({ headers, body }: FastifyRequest, replyBody: string | null): number =>
  (replyBody?.length ?? 0) + (body ? Number(headers['content-length'] ?? maximumBodyBytes) : 0);

/** Records every request of this scope whose caller is known when it is answered. */
export function logRequests(
  scope: FastifyInstance,
  {
    requestLog,
    clocks,
  }: { readonly requestLog: RequestLog; readonly clocks: Pick<Clocks, 'realNow'> },
): void {
  // Before the reply is sent: a caller who disconnects meanwhile will look for its result here.
  scope.addHook('onSend', (request, reply, payload, done) => {
    const { tenantId, body, keyHash, shownBy, headers } = request;
    if (tenantId !== '') {
      const durationMs = performance.now() - request.begunAtMs;
      const replyBody = typeof payload === 'string' && shownBy === null ? payload : null;
      requestLog.record({
        requestId: request.id,
        tenantId,
        atMs: clocks.realNow() - durationMs,
        method: sentMethod(request),
        target: request.url,
        status: reply.statusCode,
        replayed: reply.hasHeader('idempotent-replayed'),
        durationMs,
        requestBody: body ?? null,
        keyHash,
        userAgent: headers['user-agent'] ?? null,
        shownBy,
        refusedInProduction: request.refusedInProduction,
        replyBody,
        weight: weightOf(request, replyBody),
      });
    }
    done(null, payload);
  });
}
