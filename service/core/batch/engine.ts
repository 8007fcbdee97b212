import type pg from 'pg';
import { openClient, together } from '../../db/pool.ts';
import { type Actor, itself } from '../actor.ts';
import type { AskContext, Asking, Command, Reply, Run } from '../command.ts';
import { unavailable } from '../fail.ts';
import type { Clocks } from '../time/clock.ts';
import type { ClaimedJobRow } from '../work_types.ts';
import type { Statement } from '../write/sql.ts';
import { decideAsking } from './asking.ts';
import type { BatchHost, Decided } from './batch.ts';
import type { IdempotencyRow } from './idempotency.ts';
import { type EngineObserver, type EngineStats, unobserved } from './observer.ts';
import { openPipeline } from './pipeline.ts';
import { openQueue, type ShedReason } from './queue.ts';

export interface EngineOptions {
  readonly databaseUrl: string;
  readonly environment: 'sandbox' | 'production';
  readonly clocks: Clocks;
  readonly seal: BatchHost['seal'];
  readonly newSecret: BatchHost['newSecret'];
  readonly revive: (tenantId: string, row: IdempotencyRow) => Promise<string>;
  readonly onAlarm: (message: string, error: unknown) => void;
  readonly observer?: EngineObserver;
}

export interface Submission<Input> {
  readonly tenantId: string;
  readonly input: Input;
  /** Who asks for it; absent: the service itself. */
  readonly actor?: Actor;
  readonly idempotency?: { readonly keyHash: string; readonly fingerprint: string } | null;
  /** Jobs take at most a quarter of a batch (rules/engine#12). */
  readonly lane?: 'request' | 'job';
  /** The claimed job that the command runs for. */
  readonly held?: ClaimedJobRow | null;
}

/** Called after each commit, so that loops need not wait for their next query. */
export type CommitListener = (decided: Decided) => void;

export interface Engine {
  /**
   * Runs a command and resolves after its transaction has committed.
   * @throws ApiError a refusal, which changed nothing; 503 when overloaded or the database is away.
   */
  submit<Input, Loaded, Prepared>(
    command: Command<Input, Loaded, Prepared>,
    submission: Submission<Input>,
  ): Promise<Reply>;
  onCommit(listener: CommitListener): void;
  readonly stats: EngineStats;
  /** Commands that wait for a batch. */
  queued(): number;
  stop(): Promise<void>;
}

/**
 * A batch on a dead connection fails after this and one second more, and the next batch may fail so
 * too: together less than 15 s. Requests have their reply within 10 s.
 */
const statementTimeoutMs = 5_000;

/**
 * Every statement of the engine reads rows by key, and is planned once. Without these settings, a plan
 * made while a table was small would still read the whole table when it has grown.
 */
const planning =
  'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_mergejoin = off; ' +
  // Half a batch of a process that no longer answers must not keep its locks for long.
  "set idle_in_transaction_session_timeout = '5s'";

/** @param onEnd called once it is lost, also while it is being made */
async function connect(databaseUrl: string, onEnd: () => void): Promise<pg.Client> {
  const fresh = await openClient(databaseUrl, { pipeline: true, statementTimeoutMs });
  fresh.on('end', onEnd);
  await fresh.query(planning).catch(async (error: unknown) => {
    await fresh.end();
    throw error;
  });
  return fresh;
}

/**
 * A connection of the engine, made again after it was lost. Concurrent reads of a batch share one
 * attempt: a second connection would keep its snapshot open for ever.
 */
function openConnection(databaseUrl: string) {
  let client: Promise<pg.Client> | null = null;
  return {
    connected(): Promise<pg.Client> {
      if (client) return client;
      const forget = () => {
        if (client === connecting) client = null;
      };
      const connecting = connect(databaseUrl, forget);
      connecting.catch(forget);
      client = connecting;
      return connecting;
    },
    end: async () => (await client?.catch(() => null))?.end(),
  };
}

/** Starts the engine: two connections, one batch being read while the one before is written. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { observer = unobserved } = options;
  const stats: EngineStats = { batches: 0, commands: 0, reruns: 0, splits: 0 };
  const listeners: CommitListener[] = [];
  const connections = [openConnection(options.databaseUrl), openConnection(options.databaseUrl)];
  const hosts = connections.map(
    ({ connected }): BatchHost => ({
      clocks: options.clocks,
      environment: options.environment,
      newSecret: options.newSecret,
      seal: options.seal,
      revive: options.revive,
      openSnapshot: () => openSnapshot(connected),
      commit: async (statements) => commit(await connected(), statements),
    }),
  );
  const pipeline = openPipeline(hosts, {
    stats,
    onCommit: (decided) => {
      for (const listener of listeners) listener(decided);
    },
    onAlarm: options.onAlarm,
    observer,
  });
  const shed = (run: Run, reason: ShedReason) => {
    observer.shed(reason);
    run.settle({ error: unavailable('overloaded') });
  };
  const queue = openQueue(pipeline.begin, shed);
  await Promise.all(connections.map(({ connected }) => connected()));

  const engine: Engine = {
    stats,
    onCommit: (listener) => void listeners.push(listener),
    queued: queue.depth,
    async submit(command, submission) {
      const { tenantId, input, actor = itself } = submission;
      const { idempotency = null, lane = 'request', held = null } = submission;
      if (queue.isFull()) {
        observer.shed('full');
        throw unavailable('overloaded');
      }
      const decide = (prepared: unknown) =>
        new Promise<Reply | Asking>((resolve, reject) => {
          queue.push(lane, {
            tenantId,
            actor,
            idempotency,
            held,
            enqueuedAt: performance.now(),
            ahead: command.ahead?.(input, prepared as never) ?? null,
            // Async, so that a load that throws at once refuses its own command and no other.
            load: async (reading) => command.load(reading, input, prepared as never),
            decide: (work, loaded) =>
              command.decide(work, loaded as never, input, prepared as never),
            settle: (outcome) => {
              if ('error' in outcome) reject(outcome.error);
              else resolve('reply' in outcome ? outcome.reply : outcome);
            },
          });
        });
      const prepared = await command.prepare?.(input, { tenantId, actor });
      const outcome = await decide(prepared);
      if (!('ask' in outcome)) return outcome;
      const submit: AskContext['submit'] = (other, itsInput) =>
        engine.submit(other, { tenantId, actor, input: itsInput });
      return decideAsking(outcome, decide, prepared, () =>
        command.ask?.(input, { tenantId, actor, submit }),
      );
    },
    async stop() {
      await queue.drained();
      await pipeline.idle();
      await Promise.all(connections.map(({ end }) => end()));
    },
  };
  return engine;
}

/** A read transaction whose BEGIN travels with the first statement and whose end is not waited for. */
function openSnapshot(connected: () => Promise<pg.Client>): ReturnType<BatchHost['openSnapshot']> {
  let client: pg.Client | null = null;
  // What goes wrong shows in the reads, or in what is sent next.
  const send = (to: pg.Client, text: string) => void to.query(text).catch(() => {});
  return {
    async query(text, values, name) {
      const to = await connected();
      if (client && client !== to) throw new Error('the connection was lost between two reads');
      return together(to, () => {
        if (client !== to) send(to, 'begin isolation level repeatable read, read only');
        client = to;
        return to.query({ text, values, name });
      });
    },
    close: () => {
      const ended = client;
      if (ended) together(ended, () => send(ended, 'commit'));
    },
  };
}

/** Sends BEGIN, the statements and COMMIT in one write; throws the first failure. */
async function commit(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  const sent = together(client, () => [
    client.query('begin'),
    ...statements.map(({ name, text, values }) => client.query({ name, text, values })),
    client.query('commit'),
  ]);
  const outcomes = await Promise.allSettled(sent);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  const last = outcomes.at(-1);
  if (last?.status === 'fulfilled' && last.value.command !== 'COMMIT')
    throw new Error('the transaction was rolled back');
  statements.forEach(({ answered }, index) => {
    const outcome = outcomes[index + 1];
    if (answered && outcome?.status === 'fulfilled') answered(outcome.value.rows);
  });
}
