import type pg from 'pg';
import { inSchema } from '../../../engine/database/cell.ts';
import { openPool } from '../../../engine/database/pool.ts';
import { ApiError } from '../../../engine/fail.ts';
import { inboundOfCells } from '../../../fleet/inbound.ts';
import { moveTenant } from '../../../fleet/move/move.ts';
import { commandLine } from '../../../scripts/operate/actor.ts';
import { bankCan } from '../../../service/rails/bank.ts';
import type { Inbound } from '../../../service/rails/facts.ts';
import type { Service } from '../../../service/service.ts';
import { startCells } from '../../kit/cells.ts';
import { testDatabase } from '../../kit/database/database.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
  type TestTenant,
  type TestTenantOptions,
} from '../../kit/server.ts';

/** The places of a run's Tenants: in one cell, or in several, between which they are moved. */
export interface Places {
  /** Two processes, each reached at an address of its own, with their cells. */
  readonly processes: readonly {
    readonly baseUrl: string;
    readonly cells: readonly TestServer[];
  }[];
  /** A connection to each cell, beside the services. */
  readonly controls: readonly pg.Pool[];
  readonly inbound: Inbound;
  newTenant(number: number, options: TestTenantOptions): Promise<TestTenant>;
  /** The cell of a Tenant, in the first process. Waits while the Tenant is moved. */
  homeOf(tenantId: string): Promise<{ readonly cell: TestServer; readonly control: pg.Pool }>;
  /** A service whose commands go to the Tenant's cell. */
  serviceOf(tenantId: string): Service;
  /** @returns false where its clock is moved, or the stop would be too long */
  move(tenantId: string, choose: (others: readonly string[]) => string): Promise<boolean>;
  stop(): Promise<void>;
}

/** Under a name by which faults spare it. */
function controlOf(url: string): pg.Pool {
  const named = new URL(url);
  named.searchParams.set('application_name', 'model-control');
  return openPool(named.href, { max: 4, statementTimeoutMs: 60_000 });
}

const closeControls = (controls: readonly pg.Pool[]) =>
  Promise.all(controls.map((control) => control.end()));

/** Two services on one database. */
export async function openOnePlace(options: TestServerOptions): Promise<Places> {
  const database = await testDatabase();
  const shared = { ...options, database };
  const first = await startTestServer(shared);
  const second = await startTestServer({ ...shared, secrets: first.service.config });
  const control = controlOf(database.url);
  return {
    processes: [first, second].map((one) => ({ baseUrl: one.baseUrl, cells: [one] })),
    controls: [control],
    inbound: inboundOfCells(first.service, null, bankCan(first.rails.bank, 'query')),
    newTenant: (_number, tenant) => first.anotherTenant(tenant),
    homeOf: async () => ({ cell: first, control }),
    serviceOf: () => first.service,
    move: async () => false,
    async stop() {
      try {
        await second.stop();
        await first.stop();
      } finally {
        await control.end();
        await database.drop();
      }
    },
  };
}

const mayStay = new Set(['clock_advancing', 'stop_too_long']);

/** Two processes that serve these cells, of which the last one has a database of its own. */
export async function openCellPlaces(
  names: readonly string[],
  server: TestServerOptions,
): Promise<Places> {
  const opened = await startCells(names, { processes: 2, server, remote: names.slice(-1) });
  const urlOf = (name: string) => opened.owners.remote.get(name) ?? opened.ownerUrl;
  const controls = names.map((name) => controlOf(inSchema(urlOf(name), name)));
  const homes = new Map<string, number>();
  const moving = new Map<string, Promise<unknown>>();
  const at = (index: number) => {
    const [cell, control] = [opened.cells[index], controls[index]];
    if (!cell || !control) throw new Error('there is no such cell');
    return { cell, control };
  };

  async function homeOf(tenantId: string) {
    await moving.get(tenantId);
    return at(homes.get(tenantId) ?? 0);
  }

  async function tryMove(tenantId: string, to: string): Promise<boolean> {
    try {
      await moveTenant(opened.owners, { tenantId, to, actor: commandLine() });
      homes.set(tenantId, names.indexOf(to));
      return true;
    } catch (error) {
      if (error instanceof ApiError && mayStay.has(String(error.details?.reason))) return false;
      throw error;
    }
  }

  return {
    processes: opened.processes,
    controls,
    inbound: inboundOfCells(opened.cells[0].service, opened.stops, false),
    async newTenant(number, options) {
      const home = number % names.length;
      const made = await at(home).cell.anotherTenant(options);
      homes.set(made.tenantId, home);
      return made;
    },
    homeOf,
    serviceOf(tenantId) {
      const { service } = at(homes.get(tenantId) ?? 0).cell;
      const submit: Service['engine']['submit'] = async (...given) =>
        (await homeOf(tenantId)).cell.service.engine.submit(...given);
      return { ...service, engine: { ...service.engine, submit } };
    },
    async move(tenantId, choose) {
      const here = names[homes.get(tenantId) ?? 0];
      const done = tryMove(tenantId, choose(names.filter((name) => name !== here)));
      const settled = done.catch(() => {});
      moving.set(tenantId, settled);
      await settled;
      moving.delete(tenantId);
      return done;
    },
    async stop() {
      await closeControls(controls);
      await opened.stop();
    },
  };
}
