import { mkdir } from 'node:fs/promises';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type pg from 'pg';
import { addSeconds, type Instant } from '../../engine/time/instant.ts';
import { findDatabase, type ServiceDatabase } from '../../service/db/embedded_running.ts';
import { addDays, type Day, easternDay, startOfDay } from '../../service/resources/limits/days.ts';
import { reportableAt } from '../../service/resources/reconciliation/day.ts';
import { openDatabase } from '../database.ts';
import { type Call, openCaller } from '../load/callers.ts';
import { freshKey } from '../load/requests.ts';
import { type ServiceProcess, startService } from '../service_process.ts';
import { preparePeople } from '../setup/people.ts';
import { prepareTenants } from '../setup/tenants.ts';
import { fillLedger } from './fill.ts';

/** A service whose tenant has a large ledger, with a million postings on one day. */
export interface ReportsSetup {
  readonly dataDir: string;
  readonly tenantId: string;
  readonly token: string;
  /** The day that has `dayPostings` postings. */
  readonly day: Day;
  /** Ids of accounts with a million Transactions and with ten thousand. */
  readonly longAccount: string;
  readonly shortAccount: string;
  /** Both accounts have Transactions throughout this time. */
  readonly from: Instant;
  readonly to: Instant;
}

export const dayPostings = 1_000_000;
/** Postings of the day before, which complete the million of the long account. */
const earlierPostings = 100_000;
const hours = 3600;
const dayHours = 22;

/** The accounts in 110 turns: the long one has a hundred, the short one has one, and nine others one each. */
const otherAccounts = 9;
const longTurns = 100;
const turns = [1, ...Array.from({ length: otherAccounts }, (_, index) => index + 2)].concat(
  Array<number>(longTurns).fill(0),
);

async function adjust(call: Call, token: string, accountId: string): Promise<void> {
  const path = `/portal/api/review/accounts/${publicId('account', accountId)}/adjust`;
  const body = { amount: 100, note: 'bench' };
  await call({ method: 'POST', path, token, body, idempotencyKey: freshKey() }, 200);
}

/** Moves the tenant's clock and runs every job that becomes due. */
export async function advanceTo(call: Call, token: string, to: Instant): Promise<void> {
  const request = { method: 'POST', path: '/portal/api/clock/advance', token } as const;
  for (;;) {
    const answer = (await call({ ...request, body: { to } }, 200)) as { pending: number };
    if (answer.pending === 0) return;
  }
}

async function accountsOf(client: pg.Client, customers: readonly string[]) {
  const uuids = customers.map((id) => uuidOf('customer', id));
  const { rows } = await client.query<{ tenant_id: string; id: string }>(
    `select a.tenant_id, a.id from unnest($1::uuid[]) with ordinality c(id, place)
      join accounts a on a.customer_id = c.id order by c.place`,
    [uuids],
  );
  const [first] = rows;
  if (!first || rows.length !== customers.length) throw new Error('a customer has no account');
  return { tenantId: first.tenant_id, accountIds: rows.map(({ id }) => id) };
}

/** A Tenant whose accounts have each had one adjustment, by which `fillLedger` makes others. */
export async function adjustedTenant(
  service: ServiceProcess,
  client: pg.Client,
  numbers: { readonly payers: number; readonly merchants: number },
  prepared: (call: Call, token: string) => Promise<void> = async () => {},
) {
  const [tenant] = await prepareTenants(service, 1);
  if (!tenant) throw new Error('no tenant');
  const { token } = tenant;
  const { payers, merchants } = await preparePeople(service.port, tenant, numbers);
  const { tenantId, accountIds } = await accountsOf(client, [...merchants, ...payers]);
  const { call, close } = await openCaller(service.port);
  await prepared(call, token);
  for (const accountId of accountIds) await adjust(call, token, accountId);
  close();
  return { tenantId, accountIds, token };
}

async function createData(service: ServiceProcess, database: ServiceDatabase) {
  const people = { payers: 1, merchants: turns.length - longTurns };
  const client = await openDatabase(database, 'postgres');
  let day = '' as Day;
  const toTheDay = async (call: Call, token: string) => {
    const clock = await call({ method: 'GET', path: '/portal/api/clock', token }, 200);
    day = addDays(easternDay((clock as { now: Instant }).now), 2);
    await advanceTo(call, token, addSeconds(startOfDay(addDays(day, -1)), hours));
  };
  const { tenantId, accountIds, token } = await adjustedTenant(service, client, people, toTheDay);
  const { call, close } = await openCaller(service.port);
  const midnight = startOfDay(day);
  const from = addSeconds(midnight, -dayHours * hours * (earlierPostings / dayPostings));
  const to = addSeconds(midnight, dayHours * hours);
  const movements = earlierPostings + dayPostings;
  await fillLedger(client, { tenantId, accountIds, turns, movements, from, to });
  // The work that autovacuum does meanwhile where a day takes a day.
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  // This makes the day's report for the first time, which is not measured.
  await advanceTo(call, token, reportableAt(day));
  close();
  await client.end();
  const [long = '', short = ''] = accountIds.map((id) => publicId('account', id));
  return { tenantId, token, day, longAccount: long, shortAccount: short, from, to };
}

/** Furnishes a folder by a service that then ends: what measures starts another one on it. */
export async function openReportsSetup(
  dataDir: string,
  say: (line: string) => void,
): Promise<ReportsSetup> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const started = performance.now();
  const service = await startService({ dataDir });
  const furnished = await createData(service, await findDatabase(dataDir));
  await service.stop();
  say(
    `ledger filled with a million movements: ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  return { dataDir, ...furnished };
}
