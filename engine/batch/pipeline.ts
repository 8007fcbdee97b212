import type { Run } from '../command.ts';
import { leftNothing } from '../database/exchange.ts';
import { assert, unavailable } from '../fail.ts';
import { connectionLost, sessionEnded, sessionStale } from '../lost.ts';
import type { Tracing } from '../trace.ts';
import { type BatchHost, type DecidedBatch, decideBatch } from './batch.ts';
import { constraintFailure, mustRerun } from './conflicts.ts';
import type { EngineObserver, EngineStats } from './observer.ts';

const maximumReruns = 8;

export interface PipelineReport {
  readonly stats: EngineStats;
  readonly onCommit: (decided: DecidedBatch) => void;
  readonly onAlarm: (message: string, error: unknown) => void;
  readonly observer: EngineObserver;
  readonly tracing: Tracing;
}

/** How far a batch has come. */
interface Progress {
  readonly begunAtMs: number;
  readonly reruns: number;
  /** Whether it has lost its connection once, and was decided again on another one. */
  readonly wasLost: boolean;
}

/** Requests have their reply within 10 s: what took longer to fail is not tried again. */
const lostWithinMs = 2_000;

/**
 * How a batch that failed is decided again: on fresh rows after a conflict, on a fresh connection where its own
 * was of no more use (rules/engine#39); null: it is not.
 * @param isSent its statements were sent, so that it may have committed
 */
function rerunAfter(error: unknown, progress: Progress, isSent: boolean): Progress | null {
  const { begunAtMs, reruns, wasLost } = progress;
  if (reruns >= maximumReruns) return null;
  const next = { ...progress, reruns: reruns + 1 };
  if (sessionStale(error)) return next;
  if (!connectionLost(error)) return mustRerun(error) ? next : null;
  const isSafe = sessionEnded(error) && (!isSent || leftNothing(error));
  const isEarly = performance.now() - begunAtMs < lostWithinMs;
  return isSafe && isEarly && !wasLost ? { ...next, wasLost: true } : null;
}

/**
 * Runs two batches at a time: one loads and decides while the one before it is written. Otherwise
 * service and database would wait for each other, half of the time each. The commit of the second
 * checks its rows like any other: if the first changed one, the second is decided again.
 */
export function openPipeline(
  hosts: readonly BatchHost[],
  { stats, onCommit, onAlarm, observer, tracing }: PipelineReport,
) {
  /** The batch that is being written; the next waits for it. */
  let writing: Promise<void> = Promise.resolve();
  /** Without a batch. The one used last comes first: what its backend needs is still in the processor's caches. */
  const free = [...hosts];

  /** Shows the batch in the trace of each command that has one. */
  function trace(runs: readonly Run[], commands: number, { begunAtMs, reruns }: Progress): void {
    const facts = {
      'batch.number': stats.batches,
      'batch.commands': commands,
      'batch.reruns': reruns,
    };
    for (const { actor } of runs)
      if (actor.trace)
        tracing
          .begin('batch', { kind: 'inside', parent: actor.trace, beganAtMs: begunAtMs, facts })
          .end();
  }

  /** Tells of a commit. It stands whatever a listener throws, which is an alarm. */
  function tell(decided: DecidedBatch, runs: readonly Run[], progress: Progress): void {
    const deferred = decided.deferred.length;
    const commands = runs.length - deferred;
    stats.batches += 1;
    stats.commands += commands;
    try {
      const durationMs = performance.now() - progress.begunAtMs;
      observer.committed({ commands, deferred, durationMs });
      trace(runs, commands, progress);
      onCommit(decided);
    } catch (error) {
      onAlarm('what is told of a commit has failed', error);
    }
  }

  /** Completes a batch: again on fresh rows after a conflict, in halves after a failure. */
  async function complete(
    host: BatchHost,
    runs: readonly Run[],
    early: Promise<DecidedBatch>,
    progress: Progress,
  ): Promise<void> {
    let isSent = false;
    let decided: DecidedBatch;
    try {
      decided = await early;
      isSent = decided.statements.length > 0;
      if (isSent) await host.commit(decided.statements);
    } catch (error) {
      const next = rerunAfter(error, progress, isSent);
      if (next) {
        stats.reruns += 1;
        observer.rerun(error);
        return again(host, runs, next);
      }
      if (!connectionLost(error)) return split(host, runs, error);
      observer.lost(runs.length);
      return dismiss(runs, unavailable('the database is away', 1, 'database_away'));
    }
    // The next batch is sent first: the database need not wait for the replies of this one.
    setImmediate(() => decided.settle());
    tell(decided, runs, progress);
    if (decided.deferred.length > 0) await again(host, decided.deferred);
  }

  const beginning = (): Progress => ({ begunAtMs: performance.now(), reruns: 0, wasLost: false });

  const again = (
    host: BatchHost,
    runs: readonly Run[],
    progress: Progress = beginning(),
  ): Promise<void> => complete(host, runs, decideBatch(host, runs), progress);

  /** One command that fails must not make the others of its batch fail. */
  async function split(host: BatchHost, runs: readonly Run[], error: unknown): Promise<void> {
    const [only] = runs;
    if (runs.length === 1 && only) {
      const refusal = constraintFailure(error);
      if (!refusal) onAlarm('a command failed alone', error);
      const contended = mustRerun(error) ? unavailable('contention', 1, 'contention') : error;
      return only.settle({ error: refusal ?? contended });
    }
    stats.splits += 1;
    observer.split();
    const half = Math.ceil(runs.length / 2);
    await again(host, runs.slice(0, half));
    await again(host, runs.slice(half));
  }

  function dismiss(runs: readonly Run[], error: unknown): void {
    for (const run of runs) run.settle({ error });
  }

  return {
    /** Starts a batch; resolves when it is being written and the next may begin. Never rejects. */
    async begin(runs: readonly Run[]): Promise<void> {
      const host = free.pop();
      assert(host, 'the pipeline has connections');
      const progress = beginning();
      const early = decideBatch(host, runs);
      await Promise.allSettled([early]);
      await writing;
      writing = complete(host, runs, early, progress).then(() => void free.push(host));
    },
    /** Resolves when nothing is being written. */
    idle: (): Promise<void> => writing,
  };
}
