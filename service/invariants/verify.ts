import type { Values } from '@tenant-payments/engine/entity.ts';
import type pg from 'pg';
import {
  type Acknowledgements,
  acknowledgedIn,
  openFirst,
  readAcknowledged,
  unacknowledged,
} from './acknowledged.ts';
import { type Check, subjectOf, type Violation, violationsShown } from './check.ts';
import { recordedResources } from './events/recorded.ts';
import { type RunQuery, replay } from './events/replay.ts';
import { eventCounts, strayEvents, versionsChecks } from './events/versions.ts';
import { webhooksChecks } from './events/webhooks.ts';
import { gradeOf } from './grade.ts';
import { idempotencyChecks } from './idempotency.ts';
import { jobsChecks } from './jobs.ts';
import { conservationChecks } from './money/conservation.ts';
import { holdsChecks } from './money/holds.ts';
import { ledgerChecks } from './money/ledger.ts';
import { limitsChecks } from './money/limits.ts';
import { movementsChecks } from './money/movements.ts';
import { ownOrderChecks } from './money/own_orders.ts';
import { suspenseChecks } from './money/suspense.ts';
import { accountsChecks } from './records/accounts.ts';
import { disputesChecks } from './records/disputes.ts';
import { paymentsChecks } from './records/payments.ts';
import { peopleChecks } from './records/people.ts';
import { progressChecks } from './records/progress.ts';
import { rangesChecks } from './records/ranges.ts';
import { referenceChecks } from './records/references.ts';
import { reportsChecks } from './records/reports.ts';
import { sessionsChecks } from './records/sessions.ts';
import { checkedTables, scopedQuery } from './scope.ts';
import { sealedChecks } from './sealed/checks.ts';
import { deadlineMs, inSnapshot, inSnapshots, withPoolClient } from './snapshots.ts';

export type { Violation } from './check.ts';

/** Every invariant that is a query. */
export const checks: readonly Check[] = [
  ...ledgerChecks,
  ...movementsChecks,
  ...holdsChecks,
  ...versionsChecks,
  ...progressChecks,
  ...paymentsChecks,
  ...disputesChecks,
  ...sessionsChecks,
  ...jobsChecks,
  ...accountsChecks,
  ...peopleChecks,
  ...limitsChecks,
  ...idempotencyChecks,
  ...webhooksChecks,
  ...reportsChecks,
  ...suspenseChecks,
  ...ownOrderChecks,
  ...conservationChecks,
  ...rangesChecks,
  ...referenceChecks,
  ...sealedChecks,
];

export interface Scope {
  /** The ledger of this tenant only. */
  readonly tenantId?: string;
  /** The ledgers of all tenants but these. */
  readonly except?: readonly string[];
}

export interface Verification {
  /** Nothing was found, or nothing but what two people have acknowledged. */
  readonly ok: boolean;
  /** Number of rows that were checked: an empty ledger proves nothing. */
  readonly checked: number;
  /** At most 200 of each invariant that nobody has acknowledged; these come first. */
  readonly violations: readonly Violation[];
  /** The number of the checkpoint at which it began; absent or null: the whole ledger was checked. */
  readonly since?: number | null;
}

const rowCount = `select ${checkedTables
  .map((table) => `(select count(*) from ${table})`)
  .join(' + ')} as checked`;

/** Keeps the first violations of each invariant, and all that were acknowledged. */
export function openReport(known: Acknowledgements) {
  const violations: Violation[] = [];
  const reported = new Map<string, number>();
  return {
    /** The rows of a check to read: enough to show the maximum even if all acknowledged ones are among them. */
    first: violationsShown + known.size,
    add(found: Violation): void {
      const violation = { ...found, grade: gradeOf(found.invariant) };
      const acknowledged = acknowledgedIn(known, found);
      if (acknowledged !== undefined) violations.push({ ...violation, acknowledged });
      else {
        const before = reported.get(found.invariant) ?? 0;
        reported.set(found.invariant, before + 1);
        if (before < violationsShown) violations.push(violation);
      }
    },
    /** The result, of so many rows. */
    ended: (checked: number): Verification => ({
      ok: unacknowledged(violations).length === 0,
      checked,
      violations: openFirst(violations),
    }),
  };
}

/** Counts the steps of a verification: each check, and the events of each resource. */
function openSteps(tell: Tell = () => {}) {
  const all = checks.length + recordedResources.length;
  let done = 0;
  return {
    ended(name: string): void {
      done += 1;
      tell({ done, all, name });
    },
  };
}

export const violationOf = ({ name }: Check, row: Values): Violation => ({
  invariant: name,
  tenant_id: String(row.tenant_id),
  subject: subjectOf(String(row.kind), String(row.id)),
  message: String(row.message),
});

/**
 * The first rows, numbered instead of limited: a LIMIT makes the planner look for one violation by
 * nested loops, which takes a hundred times as long where there is none.
 */
export const firstOf = (sql: string, first: number) =>
  `select * from (select found.*, row_number() over () as place from (${sql}) found) placed
    where place <= ${first}`;

/** Tenants with rows in this cell that are in another one: a move is copying them, or has not cleared them. */
const guests = `select m.tenant_id from control.moves m join control.tenants t using (tenant_id)
    where m.state in ('copying', 'stopped', 'switched') and t.cell <> current_schema()
  union select d.tenant_id from departures d
    where not exists (select from tenants t where t.tenant_id = d.tenant_id)`;

/** A role that may read one cell alone sees the copies of a move as they are. */
const mayLook = `select has_schema_privilege('control', 'usage') as may`;

/** SQL: which Tenants' rows are checked; null: all. */
async function condition(
  client: pg.ClientBase,
  { tenantId, except = [] }: Scope,
): Promise<string | null> {
  if (tenantId !== undefined) return `tenant_id = ${client.escapeLiteral(tenantId)}::uuid`;
  const allBut = (ids: readonly string[]) =>
    ids.length === 0
      ? null
      : `tenant_id not in (${ids.map((id) => client.escapeLiteral(id)).join(', ')})`;
  const { rows: rights } = await client.query<{ may: boolean }>(mayLook);
  if (!rights[0]?.may) return allBut(except);
  const { rows } = await client.query<{ tenant_id: string }>(guests);
  return allBut([...except, ...rows.map(({ tenant_id }) => tenant_id)]);
}

/** How far a verification is. */
export interface Progress {
  readonly done: number;
  readonly all: number;
  /** The name of the last check. */
  readonly name: string;
}
type Tell = (progress: Progress) => void;

/** How a verification goes from step to step, each a check or a page of records. */
export interface Manner {
  /** Hears of each step that has ended. */
  readonly tell?: Tell;
  /**
   * Between two steps: the next one may be of another snapshot. Absent: all are of one, and all checks
   * are one step, in one round trip.
   */
  readonly pause?: () => Promise<void>;
}

/** Runs all checks in the client's transaction; for tests that corrupt a ledger in one. */
export async function inspectLedger(
  client: pg.ClientBase,
  scope: Scope = {},
  { tell, pause }: Manner = {},
): Promise<Verification> {
  const tenants = await condition(client, scope);
  const report = openReport(await readAcknowledged(client, tenants));
  const runQuery: RunQuery = async (text, values) => {
    const query = { text, values, query_timeout: deadlineMs };
    return (await client.query<Values>(query)).rows;
  };

  /** Queries without parameters, in one round trip, which is most of the time of a small ledger. */
  async function runAll(queries: readonly string[]): Promise<readonly (readonly Values[])[]> {
    const text = queries.map((sql) => scopedQuery(sql, tenants)).join(';\n');
    const query = { text, query_timeout: deadlineMs };
    const results: unknown = await client.query(query);
    return (Array.isArray(results) ? results : [results]).map(({ rows }) => rows);
  }

  async function run(asked: readonly Check[]): Promise<void> {
    const found = await runAll(asked.map(({ sql }) => firstOf(sql, report.first)));
    asked.forEach((check, index) => {
      for (const row of found[index] ?? []) report.add(violationOf(check, row));
    });
  }

  const steps = openSteps(tell);
  for (const group of pause ? checks.map((check) => [check]) : [checks]) {
    await run(group);
    await pause?.();
    steps.ended(group[0]?.name ?? '');
  }
  const [counts = [], sum = []] = await runAll([eventCounts, rowCount]);
  for (const recorded of recordedResources) {
    const events = await replay(runQuery, recorded, { tenants, pause }, report.add);
    const counted = counts.find(({ resource }) => resource === recorded.resource)?.events ?? 0;
    // Counts of two snapshots say nothing.
    if (pause || Number(counted) !== events) await run([strayEvents(recorded)]);
    await pause?.();
    steps.ended(`events of ${recorded.resource}`);
  }
  return report.ended(Number(sum[0]?.checked));
}

/**
 * Checks the whole ledger, or one tenant's, against the invariants (rules/invariants), in one
 * snapshot and without writing: a role that may only read can run it. The ledger of a test takes
 * 0.1 s, a million entries with their events less than a minute.
 * @throws what the database throws; violations are returned
 */
export const verifyLedger = (pool: pg.Pool, scope: Scope = {}): Promise<Verification> =>
  withPoolClient(pool, (client) => inSnapshot(client, () => inspectLedger(client, scope)));

/**
 * The same of one tenant while its payments go on, step by step, each in a snapshot of its own.
 * @param more.signal ends it and closes its connection
 * @param more.rests after each step, as a multiple of its time
 * @throws TenantLeft, what the database throws, and when the signal ends it
 */
export const verifyInSteps = (
  pool: pg.Pool,
  tenantId: string,
  {
    tell,
    signal,
    rests = 0,
  }: Pick<Manner, 'tell'> & { readonly signal?: AbortSignal; readonly rests?: number } = {},
): Promise<Verification> =>
  withPoolClient(
    pool,
    (client) =>
      inSnapshots(client, { tenantId, rests, signal }, (pause) =>
        inspectLedger(client, { tenantId }, { ...(tell && { tell }), pause }),
      ),
    signal,
  );
