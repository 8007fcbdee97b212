import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionLost } from '../lost.ts';
import { queryAgain } from './again.ts';
import { withOptions } from './cell.ts';
import { columnTypes } from './column_types.ts';
import { closeWhenSilent } from './exchange.ts';
import { wantsWrites } from './hosts.ts';
import { findLeader, leaderOf, onLeaderChange, openAtLeader, proveWritable } from './leader.ts';
import { withLibpqModes } from './tls.ts';

/** The startup options of every session; `column_types.ts` relies on the first two. */
const SESSION = '-c timezone=UTC -c datestyle=ISO -c jit=off';

/** The client waits this much longer than the server, which normally ends a late statement itself. */
const NETWORK_GRACE_MS = 1_000;

/** Also for a free client of a pool: a request's own deadline comes before a second try. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Settings that pools and single clients share. `statementTimeoutMs` absent: no deadline. @param url of one host */
function clientConfig(url: string, statementTimeoutMs: number | undefined): pg.ClientConfig {
  const config: pg.ClientConfig = {
    connectionString: withOptions(withLibpqModes(url), SESSION),
    application_name: 'tenant-payments',
    types: columnTypes,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  };
  if (statementTimeoutMs === undefined) return config;
  return {
    ...config,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + NETWORK_GRACE_MS,
  };
}

/** `query_canceled` at `statement_timeout`. */
const isLate = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014';

/** A session that the server has ended, or in which nothing can be written. */
const isEnded = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.severity === 'FATAL' || connectionLost(error));

/** pg has no error code for its own deadline. */
function endedByClient(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The clients of a pool that are closed on release. */
interface Unfit {
  has(client: pg.ClientBase): boolean;
  add(client: pg.ClientBase): void;
  /** All that are connected now. */
  addAll(): void;
}

const unfitOf = new WeakMap<pg.Pool, Unfit>();

function openUnfit(pool: pg.Pool): Unfit {
  let lostBefore = 0;
  let made = 0;
  const numbers = new WeakMap<pg.ClientBase, number>();
  const unfit = new WeakSet<pg.ClientBase>();
  pool.on('connect', (client) => numbers.set(client, ++made));
  return {
    has: (client) => unfit.has(client) || (numbers.get(client) ?? made) <= lostBefore,
    add: (client) => void unfit.add(client),
    addAll() {
      lostBefore = made;
    },
  };
}

/**
 * Makes all clients of a pool anew: those in use once they are released. After a failover they may lead to a
 * server that is left behind, which still answers what is read.
 */
export async function renewClients(pool: pg.Pool): Promise<void> {
  unfitOf.get(pool)?.addAll();
  const idle = Array.from({ length: pool.idleCount }, () => pool.connect());
  for (const client of await Promise.allSettled(idle))
    if (client.status === 'fulfilled') client.value.release();
}

/**
 * Closes a client on release when a query ran past its deadline or its session is of no more use
 * (rules/engine#10): kysely releases clients without the error, and a late statement may still run.
 */
function closeUnfitClients(pool: pg.Pool): void {
  const unfit = openUnfit(pool);
  unfitOf.set(pool, unfit);
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const watched = (...args: unknown[]): unknown => {
      const result = query(...args);
      if (result instanceof Promise) {
        result.catch((error: unknown) => {
          if (isLate(error) || isEnded(error)) unfit.add(client);
          // The statement still holds the connection, so that even a ROLLBACK would wait behind it.
          if (endedByClient(error)) void client.end();
        });
      }
      return result;
    };
    client.query = watched as typeof client.query;
  });
  pool.on('release', (_error, client) => {
    // pg-pool drops a client that is ending instead of keeping it.
    if (unfit.has(client)) void client.end();
  });
}

/**
 * An address of a database, or a function that returns it whenever a connection is made: a cell of Citus moves from
 * node to node.
 */
export type Address = string | (() => string);

export const addressNow = (address: Address): string =>
  typeof address === 'string' ? address : address();

/** The longest time for which a connection may lead to where the database was before. */
const renewedSeconds = 30;

/** pg-pool's own, while all of its clients are in use: the database has nothing to do with it. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void;

/** All clients of a pool, those that are still being connected included. */
function openTracked() {
  const clients = new Set<pg.Client>();
  const connecting = new Set<pg.Client>();
  class Tracked extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      clients.add(this);
      connecting.add(this);
      this.once('connect', () => connecting.delete(this));
      this.once('end', () => {
        clients.delete(this);
        connecting.delete(this);
      });
    }
  }
  return { clients, connecting, Client: Tracked };
}

/** While a client is being connected for so long, the host that takes writes is searched. */
const searchEveryMs = 500;

/** Breaks off what leads to another host than this one: its server is gone or no longer decides anything. */
function breakOthers(clients: ReadonlySet<pg.Client>, leader: string): void {
  const { hostname, port } = new URL(leader);
  const host = `${hostname.replace(/^\[|\]$/g, '')}:${port || '5432'}`;
  for (const client of clients) {
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
    if (`${client.host}:${client.port}` !== host) connection.stream.destroy();
  }
}

/** Lets a pool search the host that takes writes where a new client has not found one, and try once more. */
function followLeader(
  pool: pg.Pool,
  address: () => string,
  { clients, connecting }: Pick<ReturnType<typeof openTracked>, 'clients' | 'connecting'>,
): void {
  const stop = onLeaderChange(address(), (leader) =>
    pool.ended ? stop() : breakOthers(clients, leader),
  );
  const connect = pool.connect.bind(pool);
  const search = () => findLeader(address(), (url) => openOne(clientConfig(url, undefined)));

  /** A host that says nothing is not waited for alone: when another one takes writes, `breakOthers` ends the wait. */
  async function searchUntil(settled: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(searchEveryMs, undefined, { ref: false });
      if (settled.aborted) return;
      if (connecting.size > 0) await search().catch(ignore);
    }
  }

  async function searching(): Promise<pg.PoolClient> {
    const settled = new AbortController();
    void searchUntil(settled.signal);
    return connect().finally(() => settled.abort());
  }

  async function connected(): Promise<pg.PoolClient> {
    if (pool.idleCount > 0) return connect();
    try {
      return await searching();
    } catch (error) {
      if (isFull(error) || !connectionLost(error)) throw error;
      await search();
      return connect();
    }
  }
  pool.connect = ((callback?: Connected) => {
    const client = connected();
    if (!callback) return client;
    client.then(
      (one) => callback(undefined, one, one.release),
      (error: Error) => callback(error, undefined, ignore),
    );
    return undefined;
  }) as typeof pool.connect;
}

/**
 * A pool for reads, jobs and the portal.
 * @param address PostgreSQL url; its own `options` are kept
 * @param settings.max most connections at a time
 * @param settings.statementTimeoutMs deadline of each statement, on the server; 1 s later also here,
 *   for a server that does not answer. A client past its deadline is closed, never used again.
 * Rows come back as `column_types.ts` says.
 */
export function openPool(
  address: Address,
  settings: { max: number; statementTimeoutMs: number },
): pg.Pool {
  const config = () => clientConfig(leaderOf(addressNow(address)), settings.statementTimeoutMs);
  const isLed = wantsWrites(addressNow(address));
  const mayMove = typeof address !== 'string';
  const tracked = isLed ? openTracked() : null;
  const pool = new pg.Pool({
    ...config(),
    max: settings.max,
    ...(mayMove && { maxLifetimeSeconds: renewedSeconds }),
    ...(tracked && { onConnect: proveWritable, Client: tracked.Client as never }),
  });
  // Each of its clients is made from these options.
  if (mayMove || isLed)
    Object.defineProperty(pool.options, 'connectionString', {
      get: () => config().connectionString,
    });
  closeUnfitClients(pool);
  queryAgain(pool, settings.max);
  if (tracked) followLeader(pool, () => addressNow(address), tracked);
  // A query on a lost connection fails by itself; without listeners pg would end the process.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/**
 * One connected client of its own, for the engine, migrations and tools; end it with `end()`.
 * @param settings.statementTimeoutMs as for `openPool`; absent: no deadline
 * @throws when no connection is made within 5 s
 */
export async function openClient(
  url: string,
  settings: { statementTimeoutMs?: number } = {},
): Promise<pg.Client> {
  return openAtLeader(url, (one) => openOne(clientConfig(one, settings.statementTimeoutMs)));
}

async function openOne(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', ignore);
  await client.connect();
  return client;
}

/** A client for `exchange` alone, with the same deadlines. */
export async function openExchanges(url: string, statementTimeoutMs: number): Promise<pg.Client> {
  const opened = await openAtLeader(url, async (one) => {
    const { query_timeout: silentMs = 0, ...config } = clientConfig(one, statementTimeoutMs);
    const client = await openOne(config);
    closeWhenSilent(client, silentMs);
    return client;
  });
  if (wantsWrites(url)) {
    const led = new Set([opened]);
    opened.once(
      'end',
      onLeaderChange(url, (leader) => breakOthers(led, leader)),
    );
  }
  return opened;
}

function ignore(): void {}
