import { asUrl } from '../../../engine/database/hosts.ts';
import { openClient } from '../../../engine/database/pool.ts';
import { until } from '../../kit/wait.ts';
import { startPostgres } from './postgres.ts';
import { openSilentProxy } from './silent_proxy.ts';
import { startStandby } from './standby.ts';

/** The server as this file uses it, whichever it is at the moment. */
interface Side {
  readonly url: string;
  readonly serviceUrl: string;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  takeOver(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function ask(url: string, text: string, values: unknown[] = []) {
  const client = await openClient(url, { statementTimeoutMs: 30_000 });
  return client.query(text, values).then(
    ({ rows }) => client.end().then(() => rows),
    (error) => client.end().then(() => Promise.reject(error)),
  );
}

async function sideOfPrimary(): Promise<Side> {
  const server = await startPostgres(undefined, { restarts: false });
  return { ...server, takeOver: async () => {} };
}

async function sideOfStandby(primary: Side): Promise<Side> {
  const server = await startStandby(primary);
  const url = server.urlOf(primary.url);
  const serviceUrl = server.urlOf(primary.serviceUrl);
  return { ...server, url, serviceUrl, query: (...asked) => ask(url, ...asked) };
}

/** A primary and its synchronous standby, each behind a port of its own, and what an operator's tools do to them. */
export interface TwoServers {
  /** Both ports in one address, as the owner and the service reach them. */
  readonly url: string;
  readonly serviceUrl: string;
  killPrimary(): Promise<void>;
  /** Stops it after all that it has written was sent. */
  stopPrimary(): Promise<void>;
  killStandby(): Promise<void>;
  /** The primary's port goes silent, and what connects there hears nothing. */
  cutNetwork(): void;
  /** The standby becomes the primary. @returns `performance.now()` of that moment */
  promote(): Promise<number>;
  /** Commits no longer wait for a standby, as Patroni decides when it is gone. */
  waitForNone(): Promise<void>;
  /** A new standby takes the place of the server that is gone. */
  renew(): Promise<void>;
  /** Connections of the service that lead to the standby. */
  connectionsOnStandby(): Promise<number>;
  stop(): Promise<void>;
}

const standbyHasCaughtUp = `select count(*)::integer as count from pg_stat_replication
  where state = 'streaming' and sync_state = 'sync'`;
const connections = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
    and application_name = 'tenant-payments'`;

export async function openTwoServers(): Promise<TwoServers> {
  const first = await sideOfPrimary();
  const behind = (side: Side) => openSilentProxy(side.serviceUrl);
  const setSync = async (names: string) => {
    await primary.side.query(`alter system set synchronous_standby_names = '${names}'`);
    await primary.side.query('select pg_reload_conf()');
  };
  const caughtUp = () =>
    until(async () => (await primary.side.query(standbyHasCaughtUp))[0]?.count === 1, {
      what: 'a synchronous standby',
      withinMs: 30_000,
    });

  let primary = { side: first, proxy: await behind(first) };
  const second = await sideOfStandby(first);
  let standby = { side: second, proxy: await behind(second) };
  await setSync('*');
  await caughtUp();
  const hosts = [primary, standby].map(({ proxy }) => new URL(proxy.url).host).join();
  const both = (url: string) => {
    const { username, password, pathname } = new URL(url);
    return asUrl(
      `postgresql://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`,
    );
  };

  return {
    url: both(first.url),
    serviceUrl: both(first.serviceUrl),
    async killPrimary() {
      await primary.side.kill();
    },
    stopPrimary: () => primary.side.stop(),
    killStandby: () => standby.side.kill(),
    cutNetwork: () => primary.proxy.silence(),
    async promote() {
      await standby.side.takeOver();
      const atMs = performance.now();
      [primary, standby] = [standby, primary];
      // The server waits for a standby of its own only once it has one.
      await setSync('');
      return atMs;
    },
    waitForNone: () => setSync(''),
    async renew() {
      await standby.side.stop().catch(() => {});
      standby.side = await sideOfStandby(primary.side);
      standby.proxy.heal();
      standby.proxy.cutAll();
      standby.proxy.leadTo(standby.side.serviceUrl);
      await setSync('*');
      await caughtUp();
    },
    connectionsOnStandby: async () =>
      Number((await standby.side.query(connections))[0]?.count ?? 0),
    async stop() {
      for (const { proxy, side } of [primary, standby]) {
        await proxy.close();
        await side.stop().catch(() => {});
      }
    },
  };
}
