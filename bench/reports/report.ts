import type pg from 'pg';
import { addSeconds, type Instant } from '../../service/core/instant.ts';
import type { Call } from '../load/callers.ts';
import { advanceTo, dayPostings, type ReportsHouse } from './house.ts';

/** What a Tenant reads of a report here. */
export interface ReadReport {
  readonly postings_count: number;
  readonly file: { readonly download_url: string };
}

const forgotten = `with gone as (
    delete from reconciliation_reports where tenant_id = $1 and day = $2 returning id)
  delete from events where tenant_id = $1 and object_id = (select id from gone)`;
const dueAgain = `update jobs set due_at = $2, lease_until = null,
    wake_at = $2::timestamptz - interval '1 millisecond' * (select clock_offset_ms from tenants
      where tenant_id = $1)
  where tenant_id = $1 and name = 'reconciliation'`;

/** Takes the day's report away, with its event: the book is as it was before, and it falls due at `at`. */
async function forget(client: pg.Client, { tenantId, day }: ReportsHouse, at: Instant) {
  await client.query('begin');
  // Events refuse a deletion by trigger, which the owner of a database of its own can put to sleep.
  await client.query("set local session_replication_role = 'replica'");
  await client.query(forgotten, [tenantId, day]);
  await client.query(dueAgain, [tenantId, at]);
  await client.query('commit');
}

/** The day's report by the API, and how long the reply took. @throws when it is not of all postings */
export async function readReport(call: Call, { token, day }: ReportsHouse) {
  const path = `/v1/reports/reconciliation?date=${day}`;
  const started = performance.now();
  const report = (await call({ method: 'GET', path, token }, 200)) as ReadReport;
  const ms = performance.now() - started;
  if (report.postings_count !== dayPostings)
    throw new Error(`the report counts ${report.postings_count} postings of ${dayPostings}`);
  return { report, ms };
}

/**
 * Has the service make the report of a million postings: its clock is moved to the instant at which
 * it is due, and has answered when the report stands.
 * @returns seconds, all of the advance included
 */
export async function makeReport(client: pg.Client, call: Call, house: ReportsHouse) {
  const { token } = house;
  const clock = await call({ method: 'GET', path: '/portal/api/clock', token }, 200);
  // Far enough that the clock does not come there by itself.
  const at = addSeconds((clock as { now: Instant }).now, 30);
  await forget(client, house, at);
  const started = performance.now();
  await advanceTo(call, token, at);
  const seconds = (performance.now() - started) / 1000;
  await readReport(call, house);
  return seconds;
}
