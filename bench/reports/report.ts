import type pg from 'pg';
import { addSeconds, type Instant } from '../../engine/time/instant.ts';
import type { Call } from '../load/callers.ts';
import { advanceTo, dayPostings, type ReportsSetup } from './setup.ts';

/** The fields of a report that are used here. */
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

/** Deletes the day's report and its event, so that it is due again at `at`. */
async function forget(client: pg.Client, { tenantId, day }: ReportsSetup, at: Instant) {
  await client.query('begin');
  // A trigger refuses to delete events; the owner of the database can disable it.
  await client.query("set local session_replication_role = 'replica'");
  await client.query(forgotten, [tenantId, day]);
  await client.query(dueAgain, [tenantId, at]);
  await client.query('commit');
}

/**
 * Reads the day's report through the API. @returns it with the time of the reply @throws when it
 * lacks postings
 */
export async function readReport(call: Call, { token, day }: ReportsSetup) {
  const path = `/v1/reports/reconciliation?date=${day}`;
  const started = performance.now();
  const report = (await call({ method: 'GET', path, token }, 200)) as ReadReport;
  const ms = performance.now() - started;
  if (report.postings_count !== dayPostings)
    throw new Error(`the report counts ${report.postings_count} postings of ${dayPostings}`);
  return { report, ms };
}

/**
 * Lets the service make the report of a million postings: moves its clock to the instant at which
 * the report is due; the reply comes when it is made.
 * @returns seconds of the whole advance
 */
export async function makeReport(client: pg.Client, call: Call, setup: ReportsSetup) {
  const { token } = setup;
  const clock = await call({ method: 'GET', path: '/portal/api/clock', token }, 200);
  // Far enough that the clock does not reach it by itself.
  const at = addSeconds((clock as { now: Instant }).now, 30);
  await forget(client, setup, at);
  const started = performance.now();
  await advanceTo(call, token, at);
  const seconds = (performance.now() - started) / 1000;
  await readReport(call, setup);
  return seconds;
}
