import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { inSchema } from '../../engine/database/cell.ts';
import { openClient } from '../../engine/database/pool.ts';
import { type Front, openFront } from '../../fleet/front.ts';
import type { Owners } from '../../fleet/move/owners.ts';
import { servedCells } from '../../fleet/served.ts';
import type { StopsOfCells } from '../../fleet/stops.ts';
import { openPeers } from '../../service/cells/peers.ts';
import { migrate } from '../../service/db/migrate.ts';
import { serviceRole } from '../../service/db/service_role.ts';
import type { Peers } from '../../service/service.ts';
import { type Api, openApi } from './api.ts';
import { blankDatabase, type TestDatabase } from './database/database.ts';
import { urlOfLogin } from './database/database_url.ts';
import { openListener } from './http/listener.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
  type TestTenant,
} from './server.ts';

/** A process that serves all cells at one address. */
export interface TestProcess {
  readonly cells: readonly [TestServer, TestServer, ...TestServer[]];
  /** Each cell has its own where `isApart`. */
  readonly baseUrl: string;
  /** The cell's knowledge of moves; null where `isApart`. */
  readonly stops: StopsOfCells | null;
}

/** Cells of one database, each with a login of its own. */
export interface TestCells extends TestProcess {
  readonly processes: readonly [TestProcess, ...TestProcess[]];
  /** The database of control, as its owner. */
  readonly ownerUrl: string;
  /** The connections by which a move reaches them all. */
  readonly owners: Owners;
  /** A Tenant of any cell, at the address of them all. */
  apiOf(tenant: Pick<TestTenant, 'token'>): Api;
  /** @param cell in whose database; absent: the first */
  asOwner<Row extends object>(sql: string, cell?: string): Promise<readonly Row[]>;
  /** Shuts a cell's login out while `work` runs. */
  shutOut(cell: string, work: () => Promise<void>): Promise<void>;
}

export interface CellsOptions {
  /** Each cell is a process of its own, as where `CELLS` is not set. */
  readonly isApart?: boolean;
  /** The cells with a database of their own, which has control as foreign tables. */
  readonly remote?: readonly string[];
  /** Processes that serve them all; absent: one. */
  readonly processes?: number;
  /** How each cell of each process is started. */
  readonly server?: TestServerOptions;
}

/** Opens the front of an address of several cells. */
async function openAddress() {
  const listener = await openListener();
  let front: Front | null = null;
  return {
    baseUrl: `http://127.0.0.1:${listener.port}`,
    serve(cells: TestProcess['cells']): StopsOfCells | null {
      const [first, ...others] = cells.map(({ service, app }) => ({
        service,
        handler: app.routing,
      }));
      if (!first) return null;
      front = openFront([first, ...others]);
      front.stops.start();
      listener.use(front.handler);
      return front.stops;
    },
    async close(): Promise<void> {
      await listener.close(1_000);
      await front?.stops.stop();
    },
  };
}

/** Two or more cells; the caller stops them. */
export async function startCells(
  names: readonly string[],
  { isApart = false, remote = [], processes: count = 1, server = {} }: CellsOptions = {},
): Promise<TestCells & { readonly stop: () => Promise<void> }> {
  const database = await blankDatabase();
  const apart = new Map<string, TestDatabase>();
  for (const name of remote) apart.set(name, await blankDatabase());
  const databaseOf = (name: string) => apart.get(name) ?? database;
  const suffix = randomBytes(4).toString('hex');
  const loginOf = (name: string) => `${name}_${suffix}`;
  const opened: TestServer[] = [];
  const closings: (() => Promise<void>)[] = [];

  async function asOwner<Row extends object>(
    sql: string,
    cell = names[0] ?? '',
  ): Promise<readonly Row[]> {
    const client = await openClient(databaseOf(cell).url);
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Control as every cell of another database reaches it. */
  const controlUrl = urlOfLogin(database.url, loginOf(names[0] ?? ''));

  async function make(name: string): Promise<void> {
    const isRemote = apart.has(name);
    await migrate(inSchema(databaseOf(name).url, name), isRemote ? { controlUrl } : {});
    const login = loginOf(name);
    await asOwner(`create role ${login} login password '${login}' in role ${serviceRole}`);
  }

  const settings = {
    cells: names,
    remoteCells: new Map(
      [...apart].map(([name, { url }]) => [
        name,
        { databaseUrl: urlOfLogin(url, loginOf(name)), migrationDatabaseUrl: url },
      ]),
    ),
    controlUrl,
    roles: new Set(['api'] as const),
    workerCells: null,
  };

  async function start(name: string, baseUrl: string, peers: Peers): Promise<TestServer> {
    const url = inSchema(databaseOf(name).url, name);
    const served = servedCells(settings, controlUrl)[names.indexOf(name)];
    const ofCell = isApart || !served ? url : served.databaseUrl;
    const [first] = opened;
    const cell = await startTestServer({
      onLog: () => {},
      ...server,
      database: { url, serviceUrl: urlOfLogin(ofCell, loginOf(name)), drop: async () => {} },
      controlUrl: served?.controlUrl ?? null,
      // Secrets that they share in control is sealed under the same keys.
      ...(first && { secrets: first.service.config }),
      ...(isApart ? {} : { peers, config: { publicUrl: baseUrl, cells: names } }),
    });
    opened.push(cell);
    return cell;
  }

  async function startProcess(): Promise<TestProcess> {
    const address = await openAddress();
    closings.push(address.close);
    const peers = openPeers();
    const started: TestServer[] = [];
    for (const name of names) started.push(await start(name, address.baseUrl, peers));
    const [first, second, ...others] = started;
    if (!first || !second) throw new Error('two cells at least are asked for');
    const cells = [first, second, ...others] as const;
    return { cells, baseUrl: address.baseUrl, stops: isApart ? null : address.serve(cells) };
  }

  for (const name of names) await make(name);
  const first = await startProcess();
  const others: TestProcess[] = [];
  while (others.length + 1 < count) others.push(await startProcess());
  const { baseUrl } = first;
  return {
    ...first,
    processes: [first, ...others],
    ownerUrl: database.url,
    owners: {
      control: database.url,
      remote: new Map([...apart].map(([name, { url }]) => [name, url])),
    },
    apiOf: ({ token }) => openApi(baseUrl, token),
    asOwner,
    async shutOut(cell, work) {
      const login = loginOf(cell);
      await asOwner(`alter role ${login} nologin`);
      try {
        await asOwner(
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login}'`,
        );
        await work();
      } finally {
        await asOwner(`alter role ${login} login`);
      }
    },
    async stop() {
      for (const close of closings) await close();
      for (const cell of opened.toReversed()) await cell.stop();
      const logins = names.map(loginOf).join(', ');
      for (const name of [...names.slice(0, 1), ...apart.keys()])
        await asOwner(`drop owned by ${logins}`, name);
      await asOwner(`drop role ${logins}`);
      for (const each of [...apart.values(), database]) await each.drop();
    },
  };
}

/** The same for all tests of a file. Await it at the top of the file. */
export async function openCells(
  names: readonly string[],
  options: CellsOptions = {},
): Promise<TestCells> {
  const cells = await startCells(names, options);
  afterAll(cells.stop, 60_000);
  return cells;
}

/** A payer with $500 and a merchant, and payments of $1 between them. */
export async function openTill(api: Api) {
  const payer = await api.funded('individual', 500_00);
  const payee = await api.banked('business');
  return {
    payer,
    pay: async () => api.confirmed(await api.pay(payer, payee, 1_00)),
    balance: () => api.balance(payer),
  };
}
