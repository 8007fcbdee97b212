import { fileLinkSeconds } from '@tenant-payments/contract/resources/reports.ts';
import type pg from 'pg';
import type { ClockFacts, Clocks } from '../../core/clock.ts';
import { command } from '../../core/command.ts';
import { assert } from '../../core/fail.ts';
import type { Instant } from '../../core/instant.ts';
import type { Work } from '../../core/work.ts';
import type { DownloadLinks } from '../../http/files/download_links.ts';
import { addDays, type Day, easternDay, nextDaily } from '../limits/days.ts';
import { readClosedPeriod } from './closed_period.ts';
import { reportableAt, reportedAt } from './day.ts';
import { reconciliationReports } from './table.ts';
import { closingOf, readTotals, type Totals } from './totals.ts';

/** Job of a tenant, each day. */
export const reconciliationDue = 'reconciliation';

interface Needs {
  readonly pool: pg.Pool;
  readonly clocks: Clocks;
  readonly links: DownloadLinks;
}

interface Standing extends ClockFacts {
  readonly created_at: Instant;
  /** The last day that has been reported. */
  readonly last: Day | null;
}

async function standingOf(pool: pg.Pool, tenantId: string): Promise<Standing> {
  const { rows } = await pool.query<Standing>(
    `select created_at, clock_offset_ms, clock_at, (select max(day) from reconciliation_reports
        where tenant_id = t.tenant_id) as last
      from tenants t where tenant_id = $1`,
    [tenantId],
  );
  const [standing] = rows;
  assert(standing, 'a tenant with jobs is there');
  return standing;
}

/** A day that is over, as it was. */
interface Prepared {
  readonly day: Day;
  readonly totals: Totals;
  readonly linkExpiresAtMs: number;
}

/** The first day that has no report, if its time has come: none is ever left out. */
async function prepare({ pool, clocks, links }: Needs, tenantId: string): Promise<Prepared | null> {
  const standing = await standingOf(pool, tenantId);
  const { now } = clocks.at(tenantId, standing);
  const { last, created_at } = standing;
  const day = last === null ? easternDay(created_at) : addDays(last, 1);
  if (reportableAt(day) > now) return null;
  const totals = await readClosedPeriod(pool, tenantId, (ask) => readTotals(ask, tenantId, day));
  return { day, totals, linkExpiresAtMs: links.expiryMs(fileLinkSeconds) };
}

function issue(
  work: Work,
  links: DownloadLinks,
  tenantId: string,
  made: Prepared,
  opening: number,
) {
  const { day, linkExpiresAtMs } = made;
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
      download_url: url,
      expires_at: expiresAt,
      generated_at: work.now,
    },
    'issue',
  );
}

/**
 * Job `reconciliation`: the report of the day before, at 06:00 Eastern Time; and of every day
 * that was missed, one after the other. It is read outside of any batch, and the identity of
 * decisions 2.3, number 15, is asserted before it is written.
 */
export const reconciliationJob = (needs: Needs) =>
  command(reconciliationDue, {
    prepare: (_input: { ref: string }, { tenantId }) => prepare(needs, tenantId),
    load: async (read, _input, prepared) =>
      prepared && {
        made: await read.maybe(reconciliationReports, prepared.day),
        before: await read.maybe(reconciliationReports, addDays(prepared.day, -1)),
      },
    // A tenant's calendar names the tenant.
    decide: (work, loaded, { ref: tenantId }, prepared) => {
      const following = prepared && addDays(prepared.day, 1);
      const isBehind = following !== null && reportableAt(following) <= work.now;
      work.scheduleJob(
        reconciliationDue,
        tenantId,
        isBehind ? work.now : nextDaily(reportedAt, work.now),
      );
      if (prepared && loaded && !loaded.made)
        issue(work, needs.links, tenantId, prepared, loaded.before?.closing_balance ?? 0);
      return { value: null };
    },
  });
