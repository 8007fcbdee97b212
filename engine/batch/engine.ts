import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, serviceActor } from '../actor.ts';
import type { AskContext, Asking, Command, Reply, Run } from '../command.ts';
import type { NamedStatement } from '../database/exchange.ts';
import type { Address } from '../database/pool.ts';
import { ApiError, assert, unavailable } from '../fail.ts';
import { connectionLost } from '../lost.ts';
import type { Clocks } from '../time/clock.ts';
import { type SpanFacts, type Tracing, untraced } from '../trace.ts';
import type { ClaimedJobRow } from '../work_types.ts';
import type { Act, Redact } from './acts.ts';
import { decideAsking } from './asking.ts';
import type { BatchHost, DecidedBatch } from './batch.ts';
import { openConnection } from './connection.ts';
import type { IdempotencyRow } from './idempotency.ts';
import { type EngineObserver, type EngineStats, unobserved } from './observer.ts';
import { openPipeline } from './pipeline.ts';
import { maximumWaitMs, openQueue, type ShedReason } from './queue.ts';

/** A write that changes nothing that anybody is shown, for a connection that must prove that it can. */
export type WriteProof = NamedStatement;

/** Adds what holds of every command of somebody who acts by a role, whichever it is. */
export type Judge = <Input>(command: Command<Input>) => Command<Input>;

export interface EngineOptions {
  readonly databaseUrl: Address;
  readonly environment: 'sandbox' | 'production';
  readonly clocks: Clocks;
  readonly seal: BatchHost['seal'];
  readonly newSecret: BatchHost['newSecret'];
  readonly revive: (tenantId: string, row: IdempotencyRow) => Promise<string>;
  readonly onAlarm: (message: string, error: unknown) => void;
  /** Called when another server may be the one that takes writes; absent: nobody has other connections. */
  readonly onMoved?: () => void;
  readonly observer?: EngineObserver;
  /** Absent: traces are passed on, and none is recorded. */
  readonly tracing?: Tracing;
  /** The part of a record's `present` that the audit shows; absent: it shows rows by their tables' `audited` alone. */
  readonly redact?: Redact;
  /** Absent: whoever may make a command makes it alone (rules/approvals#2). */
  readonly judge?: Judge;
}

export interface Submission<Input> {
  readonly tenantId: string;
  readonly input: Input;
  /** The caller; absent: the service itself. */
  readonly actor?: Actor;
  /** The actor's act: somebody who acts by a role always names one (rules/audit#1). */
  readonly act?: Act | null;
  readonly idempotency?: { readonly keyHash: string; readonly fingerprint: string } | null;
  /** Jobs take at most a quarter of a batch (rules/engine#12). */
  readonly lane?: 'request' | 'job';
  /** The claimed job that the command runs for. */
  readonly held?: ClaimedJobRow | null;
}

/** A refusal is an answer; anything else is a fault. */
const spanEnd = (error: unknown): [SpanFacts, boolean] =>
  error instanceof ApiError ? [{ code: error.code }, error.status >= 500] : [{}, true];

/** Called after each commit, so that loops need not wait for their next query. */
export type CommitListener = (decided: DecidedBatch) => void;

export interface Engine {
  /**
   * Runs a command and resolves after its transaction has committed.
   * @throws ApiError a refusal, which changed nothing; 503 when overloaded or the database is away.
   */
  submit<Input, Loaded, Prepared>(
    command: Command<Input, Loaded, Prepared>,
    submission: Submission<Input>,
  ): Promise<Reply>;
  /** For who would do work before it submits. @throws ApiError 503, after a while, where the queue is full */
  requireRoom(): Promise<void>;
  onCommit(listener: CommitListener): void;
  readonly stats: EngineStats;
  /** Resolves when its connections are made, for the first time. @throws where they cannot be */
  connected(): Promise<unknown>;
  /**
   * Resolves when each of its connections has committed a write after the call, one that was lost on a new one.
   * @throws what the database says, or that it took longer
   */
  proveWrites(proof: WriteProof, withinMs: number): Promise<void>;
  /** Commands that wait for a batch. */
  queued(): number;
  stop(): Promise<void>;
}

/** Starts the engine: two connections, one batch being read while the one before is written. */
export function startEngine(options: EngineOptions): Engine {
  const { observer = unobserved, tracing = untraced, judge = (command) => command } = options;
  const stats: EngineStats = { batches: 0, commands: 0, reruns: 0, splits: 0 };
  const listeners: CommitListener[] = [];
  const open = () => openConnection(options.databaseUrl, options.onMoved);
  const connections = [open(), open()];
  const hosts = connections.map(
    ({ openSnapshot, commit }): BatchHost => ({
      clocks: options.clocks,
      environment: options.environment,
      newSecret: options.newSecret,
      seal: options.seal,
      redact: options.redact,
      revive: options.revive,
      openSnapshot,
      commit,
    }),
  );
  const pipeline = openPipeline(hosts, {
    stats,
    onCommit: (decided) => {
      for (const listener of listeners) listener(decided);
    },
    onAlarm: options.onAlarm,
    observer,
    tracing,
  });
  const shed = (run: Run, reason: ShedReason) => {
    observer.shed(reason);
    run.settle({ error: unavailable('overloaded', 1, 'overloaded') });
  };
  const queue = openQueue(pipeline.begin, shed, pipeline.idle);
  const connecting = Promise.all(connections.map(({ connected }) => connected()));
  // Whoever waits for it is told; each batch tries again.
  connecting.catch(() => {});

  async function run<Input, Loaded, Prepared>(
    given: Command<Input, Loaded, Prepared>,
    submission: Submission<Input>,
  ): Promise<Reply> {
    const { tenantId, input, actor = serviceActor, act = null } = submission;
    const command = actor.roles.length > 0 ? judge(given) : given;
    const { idempotency = null, lane = 'request', held = null } = submission;
    await engine.requireRoom();
    const decide = (prepared: unknown) =>
      new Promise<Reply | Asking>((resolve, reject) => {
        queue.push(lane, {
          tenantId,
          actor,
          act,
          isRead: command.isRead ?? false,
          idempotency,
          held,
          mendsSettings: command.mendsSettings ?? false,
          enqueuedAt: performance.now(),
          ahead: command.ahead?.(input, prepared as never) ?? [],
          // Async, so that a load that throws at once refuses its own command and no other.
          load: async (reading) => command.load(reading, input, prepared as never),
          decide: (work, loaded) => command.decide(work, loaded as never, input, prepared as never),
          settle: (outcome) => {
            if ('error' in outcome) reject(outcome.error);
            else resolve('reply' in outcome ? outcome.reply : outcome);
          },
        });
      });
    const prepared = await command.prepare?.(input, { tenantId, actor });
    const outcome = await decide(prepared);
    if (!('ask' in outcome)) return outcome;
    // A part of the command, whose act is its own.
    const submit: AskContext['submit'] = (other, itsInput) =>
      runTraced(other, { tenantId, actor, input: itsInput });
    return decideAsking(outcome, decide, prepared, (told) =>
      command.ask?.(input, { tenantId, actor, submit, told }),
    );
  }

  /** The command is a span of its submitter's trace, and whatever it leads to is below it. */
  async function runTraced<Input, Loaded, Prepared>(
    given: Command<Input, Loaded, Prepared>,
    submission: Submission<Input>,
  ): Promise<Reply> {
    const { actor = serviceActor, lane = 'request' } = submission;
    if (!actor.trace) return run(given, submission);
    const { trace: parent } = actor;
    const span = tracing.begin(given.name, { kind: 'inside', parent, facts: { lane } });
    try {
      const reply = await run(given, {
        ...submission,
        actor: { ...actor, trace: span.traceparent },
      });
      span.end({ replayed: reply.replayed });
      return reply;
    } catch (error) {
      span.end(...spanEnd(error));
      throw error;
    }
  }

  const engine: Engine = {
    stats,
    async requireRoom() {
      if (!queue.isFull()) return;
      observer.shed('full');
      // Whoever calls again at once would take the time of the commands that are served.
      await sleep(maximumWaitMs);
      throw unavailable('overloaded', 1, 'overloaded');
    },
    onCommit: (listener) => void listeners.push(listener),
    connected: () => connecting,
    async proveWrites(proof, withinMs) {
      const proving = connections.map(({ proveWrite }) =>
        proveWrite(proof, withinMs).catch((error: unknown) => {
          if (!connectionLost(error)) throw error;
          return proveWrite(proof, withinMs);
        }),
      );
      await Promise.all(proving);
    },
    queued: queue.depth,
    async submit(given, submission) {
      const { act = null, actor = serviceActor } = submission;
      assert(
        act || actor.roles.length === 0 || given.isRead,
        `${given.name} of somebody with a role names its act`,
      );
      return runTraced(given, submission);
    },
    async stop() {
      await queue.drained();
      await pipeline.idle();
      await Promise.all(connections.map(({ end }) => end()));
    },
  };
  return engine;
}
