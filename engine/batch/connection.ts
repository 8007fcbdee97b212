import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { exchange, type NamedStatement, type Row } from '../database/exchange.ts';
import { type Address, addressNow, openExchanges } from '../database/pool.ts';
import { connectionLost, sessionStale } from '../lost.ts';
import type { Statement } from '../write/sql.ts';
import type { BatchHost } from './batch.ts';

/**
 * A batch on a dead connection fails after this and one second more, and the next batch may fail so
 * too: together less than 15 s. Requests have their reply within 10 s.
 */
const statementTimeoutMs = 5_000;

/** How often a proof looks whether the batch before it has been written. */
const provePauseMs = 20;

/**
 * Every statement of the engine reads rows by key, and is planned once. Without these settings, a plan
 * made while a table was small would still read the whole table when it has grown.
 */
const planning: NamedStatement = {
  name: 'planning',
  // Citus plans a statement for its parameters.
  text: `select set_config('plan_cache_mode', case when exists (select from pg_extension where extname = 'citus')
    then 'auto' else 'force_generic_plan' end, false),
    set_config('enable_seqscan', 'off', false), set_config('enable_mergejoin', 'off', false),
    -- Half a batch of a process that no longer answers must not keep its locks for long.
    set_config('idle_in_transaction_session_timeout', '5s', false)`,
  values: [],
};

const begin: NamedStatement = {
  name: 'begin',
  text: 'begin isolation level repeatable read, read only',
  values: [],
};
const end: NamedStatement = { name: 'end', text: 'commit', values: [] };

/** @param onEnd called once it is lost, also while it is being made */
async function connect(databaseUrl: string, onEnd: () => void): Promise<pg.Client> {
  const fresh = await openExchanges(databaseUrl, statementTimeoutMs);
  fresh.on('end', onEnd);
  await exchange(fresh, [planning]).catch(async (error: unknown) => {
    await fresh.end();
    throw error;
  });
  return fresh;
}

interface Waiting {
  readonly statement: NamedStatement;
  readonly resolve: (answer: { rows: Row[] }) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A connection of the engine, for one batch at a time; made again after it was lost.
 * @param onMoved called when it is lost, and when the next one has written: another server may be the one that
 *   takes writes, and connections of before may still lead to the first
 */
export function openConnection(address: Address, onMoved = () => {}) {
  let client: Promise<pg.Client> | null = null;
  /** Lets the next batch make another one. */
  let forget = () => {};
  /** The address that it leads to. */
  let madeFor = '';
  /** The client with an open snapshot; null: none has one. */
  let reading: pg.Client | null = null;
  /** When it has last committed, in `performance.now` time. */
  let committedAtMs = 0;
  /** Whether it was lost, and has not written since. */
  let isLost = false;

  /** Concurrent reads share one attempt: a second connection would keep its snapshot open for ever. */
  function connected(): Promise<pg.Client> {
    const databaseUrl = addressNow(address);
    if (client && madeFor === databaseUrl) return client;
    client?.then((old) => old.end()).catch(() => {});
    madeFor = databaseUrl;
    forget = () => {
      if (client === connecting) client = null;
      isLost = true;
    };
    const connecting = connect(databaseUrl, forget);
    connecting.catch(forget);
    client = connecting;
    return connecting;
  }

  const send = (to: pg.Client, statements: readonly NamedStatement[]) =>
    exchange(to, statements).catch((error: unknown) => {
      // Its end may be known only after the next batch has begun, which would fail on it too.
      if (connectionLost(error)) {
        forget();
        to.end().catch(() => {});
        if (!sessionStale(error)) onMoved();
      }
      throw error;
    });

  function wrote(): void {
    committedAtMs = performance.now();
    if (isLost) onMoved();
    isLost = false;
  }

  async function read(statements: readonly NamedStatement[]): Promise<readonly Row[][]> {
    const to = await connected();
    if (reading === to) return send(to, statements);
    if (reading) throw new Error('the connection was lost between two reads');
    reading = to;
    const [, ...answers] = await send(to, [begin, ...statements]);
    return answers;
  }

  function openSnapshot(): ReturnType<BatchHost['openSnapshot']> {
    let waiting: Waiting[] = [];
    let isClosed = false;
    async function sendWave(): Promise<void> {
      const wave = waiting;
      waiting = [];
      try {
        // A load may read on after its batch has failed: that must not begin a transaction again.
        if (isClosed) throw new Error('the batch has ended');
        const answers = await read(wave.map(({ statement }) => statement));
        for (const [index, { resolve }] of wave.entries()) resolve({ rows: answers[index] ?? [] });
      } catch (error) {
        for (const { reject } of wave) reject(error);
      }
    }
    return {
      query: (text, values, name) =>
        new Promise((resolve, reject) => {
          if (waiting.length === 0) queueMicrotask(() => void sendWave());
          waiting.push({ statement: { name, text, values }, resolve, reject });
        }),
      close() {
        isClosed = true;
        // An error here shows in what is sent next.
        if (reading) exchange(reading, [end]).catch(() => {});
        reading = null;
      },
    };
  }

  async function commit(statements: readonly Statement[]): Promise<void> {
    const to = await connected();
    const before = reading === to ? [end] : [];
    reading = null;
    const answers = await send(to, [...before, ...statements]);
    wrote();
    for (const [index, { answered }] of statements.entries())
      answered?.(answers[before.length + index] ?? []);
  }

  /** Resolves when a write has been committed after the call: this one, or that of a batch which is at it. */
  async function proveWrite(proof: NamedStatement, withinMs: number): Promise<void> {
    const since = performance.now();
    while (committedAtMs < since) {
      const to = await connected();
      if (performance.now() - since > withinMs) throw new Error('timeout of a batch');
      if (reading) await sleep(provePauseMs);
      else {
        await send(to, [proof]);
        wrote();
      }
    }
  }

  return {
    connected,
    openSnapshot,
    commit,
    proveWrite,
    end: async () => (await client?.catch(() => null))?.end(),
  };
}
