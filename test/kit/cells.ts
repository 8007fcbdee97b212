import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { type Front, openFront } from '../../service/cells/front.ts';
import { servedCells } from '../../service/cells/served.ts';
import { inSchema } from '../../service/db/cell.ts';
import { migrate } from '../../service/db/migrate.ts';
import { openClient } from '../../service/db/pool.ts';
import { serviceRole } from '../../service/db/service_role.ts';
import { listen } from '../../service/http/listen.ts';
import type { Service } from '../../service/service.ts';
import { type Api, openApi } from './api.ts';
import { blankDatabase } from './database/database.ts';
import { urlOfLogin } from './database/database_url.ts';
import { startTestServer, type TestServer, type TestTenant } from './server.ts';

/** Cells of one database, each with a login, a service and an address of its own. */
export interface TestCells {
  readonly cells: readonly [TestServer, TestServer, ...TestServer[]];
  /** The database, as its owner. */
  readonly ownerUrl: string;
  /** The address of them all; each cell's own where `isApart`. */
  readonly baseUrl: string;
  /** A Tenant of any cell, at the address of them all. */
  apiOf(tenant: Pick<TestTenant, 'token'>): Api;
  asOwner(sql: string): Promise<readonly object[]>;
  /** Shuts a cell's login out while `work` runs. */
  shutOut(cell: string, work: () => Promise<void>): Promise<void>;
}

/**
 * Two or more cells for all tests of a file. Await it at the top of the file.
 * @param isApart each cell is a process of its own, as where `CELLS` is not set
 */
export async function openCells(
  names: readonly string[],
  { isApart = false }: { readonly isApart?: boolean } = {},
): Promise<TestCells> {
  const database = await blankDatabase();
  const listener = await listen(['127.0.0.1'], 0);
  const baseUrl = `http://127.0.0.1:${listener.port}`;
  const suffix = randomBytes(4).toString('hex');
  const loginOf = (name: string) => `${name}_${suffix}`;
  const opened: TestServer[] = [];
  const peers: Service[] = [];

  async function asOwner(sql: string): Promise<readonly object[]> {
    const client = await openClient(database.url);
    try {
      return (await client.query<object>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async function start(name: string): Promise<TestServer> {
    const url = inSchema(database.url, name);
    await migrate(url);
    const login = loginOf(name);
    await asOwner(`create role ${login} login password '${login}' in role ${serviceRole}`);
    const settings = { cells: names, roles: new Set(['api'] as const), workerCells: null };
    const served = servedCells(settings, database.url)[names.indexOf(name)];
    const ofCell = isApart || !served ? url : served.databaseUrl;
    const [first] = opened;
    return startTestServer({
      database: { url, serviceUrl: urlOfLogin(ofCell, login), drop: async () => {} },
      // What they share in control is sealed under the same keys.
      ...(first && { secrets: first.service.config }),
      ...(isApart ? {} : { peers, config: { publicUrl: baseUrl, cells: names } }),
      onLog: () => {},
    });
  }

  let front: Front | null = null;
  async function stop(): Promise<void> {
    await listener.close(1_000);
    await front?.stops.stop();
    for (const cell of opened) await cell.stop();
    await asOwner(`drop owned by ${names.map(loginOf).join(', ')}`);
    await asOwner(`drop role ${names.map(loginOf).join(', ')}`);
    await database.drop();
  }
  afterAll(stop, 60_000);

  for (const name of names) opened.push(await start(name));
  const [first, second, ...others] = opened;
  if (!first || !second) throw new Error('two cells at least are asked for');
  const cells = [first, second, ...others] as const;
  const handlerOf = ({ service, app }: TestServer) => ({ service, handler: app.routing });
  if (!isApart) {
    front = openFront([handlerOf(first), ...[second, ...others].map(handlerOf)]);
    front.stops.start();
    listener.use(front.handler);
  }
  return {
    cells,
    ownerUrl: database.url,
    baseUrl,
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
  };
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
