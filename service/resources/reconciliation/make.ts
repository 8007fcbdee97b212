import { fileLinkSeconds } from '@tenant-payments/contract/resources/reports.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { ClockFacts, Clocks } from '@tenant-payments/engine/time/clock.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type pg from 'pg';
import type { DownloadLinks } from '../../http/files/download_links.ts';
import { addDays, type Day, easternDay, nextDaily } from '../limits/days.ts';
import { readClosedPeriod } from './closed_period.ts';
import { readUsesMetadata } from './copy.ts';
import { reportableAt, reportedAt } from './day.ts';
import { type ReportRow, reconciliationReports } from './table.ts';
import { closingOf, readTotals, type Totals } from './totals.ts';

interface Dependencies {
  readonly pool: pg.Pool;
  readonly clocks: Clocks;
  readonly links: DownloadLinks;
}

interface TenantState extends ClockFacts {
  readonly created_at: Instant;
  /** The last reported day. */
  readonly last: Day | null;
}

async function readTenantState(pool: pg.Pool, tenantId: string): Promise<TenantState> {
  const { rows } = await pool.query<TenantState>(
    `select created_at, clock_offset_ms, clock_at, (select max(day) from reconciliation_reports
        where tenant_id = t.tenant_id) as last
      from tenants t where tenant_id = $1`,
    [tenantId],
  );
  const [state] = rows;
  assert(state, 'a Tenant with jobs exists');
  return state;
}

/** The totals of a day that is over. */
interface Prepared {
  readonly day: Day;
  readonly totals: Totals;
  readonly usesMetadata: boolean;
  readonly linkExpiresAtMs: number;
}

/** The first day without a report, if it can be reported now (rules/reports#3). */
async function prepare(
  { pool, clocks, links }: Dependencies,
  tenantId: string,
): Promise<Prepared | null> {
  const state = await readTenantState(pool, tenantId);
  const { now } = clocks.at(tenantId, state);
  const { last, created_at } = state;
  const day = last === null ? easternDay(created_at) : addDays(last, 1);
  if (reportableAt(day) > now) return null;
  const read = await readClosedPeriod(pool, tenantId, async (query) => ({
    usesMetadata: await readUsesMetadata(query, tenantId, day),
    totals: await readTotals(query, tenantId, day),
  }));
  return { day, ...read, linkExpiresAtMs: links.expiryMs(fileLinkSeconds) };
}

function issue(
  work: Work,
  links: DownloadLinks,
  tenantId: string,
  made: Prepared,
  before: ReportRow | null,
) {
  const { day, linkExpiresAtMs, usesMetadata } = made;
  const opening = before?.closing_balance ?? 0;
  const { change: _, ...totals } = made.totals;
  const id = work.newId();
  const target = { kind: 'reconciliation', tenantId, record: id } as const;
  const { url, expiresAt } = links.to(target, linkExpiresAtMs);
  return work.create(
    reconciliationReports,
    {
      day,
      id,
      account_structure: work.tenant.settings.account_structure,
      opening_balance: opening,
      closing_balance: closingOf(opening, made.totals),
      ...totals,
      // Once there it stays, also where all metadata has been erased.
      file_has_metadata: usesMetadata || (before?.file_has_metadata ?? false),
      download_url: url,
      expires_at: expiresAt,
      generated_at: work.now,
    },
    'issue',
  );
}

/**
 * Job `reconciliation`: the report of the day before, at 06:00 Eastern Time, and of each missed day
 * in turn. A day that does not add up gets no report but an alarm (rules/reports#7).
 */
export const reconciliationJob = (dependencies: Dependencies) =>
  command('reconciliation', {
    prepare: (_input: { ref: string }, { tenantId }) => prepare(dependencies, tenantId),
    load: async (read, _input, prepared) =>
      prepared && {
        made: await read.maybe(reconciliationReports, prepared.day),
        before: await read.maybe(reconciliationReports, addDays(prepared.day, -1)),
      },
    // The ref of a Tenant's own jobs is the Tenant.
    decide: (work, loaded, { ref: tenantId }, prepared) => {
      const following = prepared && addDays(prepared.day, 1);
      const isBehind = following !== null && reportableAt(following) <= work.now;
      work.scheduleJob(
        'reconciliation',
        tenantId,
        isBehind ? work.now : nextDaily(reportedAt, work.now),
      );
      if (prepared && loaded && !loaded.made)
        issue(work, dependencies.links, tenantId, prepared, loaded.before);
      return { value: null };
    },
  });
