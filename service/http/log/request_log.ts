import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { connectionLost } from '../../core/batch/conflicts.ts';
import type { Clocks } from '../../core/clock.ts';
import { faultFacts } from '../../core/fault.ts';
import { instantOf } from '../../core/instant.ts';
import type { Meters } from '../../operations/meters.ts';
import type { Service } from '../../service.ts';
import { maximumBodyBytes } from '../serve/errors.ts';
import { type Answered, insertRows, type RequestRow, rowOf, sweepRows } from './request_rows.ts';
import { openShares } from './request_share.ts';

/** What waits in memory, at most: requests, and bytes of their bodies. */
const maximumWaiting = 4_096;
const maximumWeight = 16 * 1_024 * 1_024;
/** 1,000 requests a second are written, and what came before a pause is seen after it. */
const batchSize = 200;
const pauseMs = 200;
const pauseAfterFailureMs = 1_000;
/** So many are redacted before others have their turn: about 15 µs each. */
const redactedAtOnce = 10;
const keptForMs = 7 * 24 * 3_600_000;
const sweepEveryMs = 3_600_000;
const complainEveryMs = 60_000;

/** What became of the requests that were recorded. */
export interface RequestLogCounts {
  written: number;
  /** Beyond their tenant's share. */
  leftOut: number;
  /** Met a full memory, or could not be written. */
  dropped: number;
}

/** The API request log (surfaces, Portal JSON): the table `requests`, redacted before it is written. */
export interface RequestLog {
  /**
   * Takes note of a request that is being answered, if there is room: every refusal, and all of a
   * tenant's requests up to its share. It does nothing but keep a reference; nothing can fail.
   */
  record(answered: Answered): void;
  /** Resolves when all that was recorded is written, or could not be. Never rejects. */
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
 * Opens the request log. A lost database costs what does not fit into memory meanwhile, and no
 * request: nobody waits for this log.
 */
export function openRequestLog({ pool, clocks, log, meters }: Needs): RequestLog {
  const counts: RequestLogCounts = { written: 0, leftOut: 0, dropped: 0 };
  const hasRoom = openShares();
  let waiting: Answered[] = [];
  let weight = 0;
  /** Redacted, but the database was away. */
  let held: readonly RequestRow[] = [];
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<boolean> | null = null;
  let isClosed = false;
  let complainAtMs = 0;
  let sweepAtMs = 0;

  const isEmpty = () => waiting.length === 0 && held.length === 0;

  function drop(count: number, error?: unknown): void {
    counts.dropped += count;
    meters.requestLogDropped.inc(count);
    const nowMs = clocks.realNow();
    if (nowMs < complainAtMs) return;
    complainAtMs = nowMs + complainEveryMs;
    const fault = error === undefined ? {} : { fault: faultFacts(error) };
    log.warn({ ...counts, ...fault }, 'the request log drops requests');
  }

  async function redacted(batch: readonly Answered[]): Promise<RequestRow[]> {
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

  /** @returns whether the database took it */
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

  /** Sleeps while there is nothing to do, and keeps no process alive. */
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
      // A refusal needs no share, unless so many come that one tenant's would crowd out the others'.
      const isWelcome = status >= 400 && waiting.length < maximumWaiting / 2;
      if (!hasRoom(tenantId, atMs) && !isWelcome) {
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

/** A body that came in chunks does not say how long it is. */
const weightOf = ({ headers, body }: FastifyRequest, replyBody: string | null): number =>
  (replyBody?.length ?? 0) + (body ? Number(headers['content-length'] ?? maximumBodyBytes) : 0);

/** Records every request of this scope whose caller is known by the time it is answered. */
export function logRequests(
  scope: FastifyInstance,
  { requestLog, clocks }: Pick<Service, 'requestLog' | 'clocks'>,
): void {
  // Before the reply is written and not after: who goes away meanwhile will ask what became of it.
  scope.addHook('onSend', (request, reply, payload, done) => {
    const { tenantId, body } = request;
    if (tenantId !== '') {
      const durationMs = performance.now() - request.begunAtMs;
      const replyBody = typeof payload === 'string' ? payload : null;
      requestLog.record({
        requestId: request.id,
        tenantId,
        atMs: clocks.realNow() - durationMs,
        method: request.method,
        target: request.url,
        status: reply.statusCode,
        replayed: reply.hasHeader('idempotent-replayed'),
        durationMs,
        requestBody: body ?? null,
        replyBody,
        weight: weightOf(request, replyBody),
      });
    }
    done(null, payload);
  });
}
