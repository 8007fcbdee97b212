import type pg from 'pg';
import type { ClockFacts, Clocks } from '../../core/clock.ts';
import { command } from '../../core/command.ts';
import { assert } from '../../core/fail.ts';
import type { Instant } from '../../core/instant.ts';
import type { DownloadLinks } from '../../http/files/download_links.ts';
import type { Day } from '../limits/days.ts';
import { readClosedPeriod } from '../reconciliation/closed_period.ts';
import { spanOf } from '../reconciliation/day.ts';
import { lastMonthDue, nextMonthDue } from './periods.ts';
import {
  type Issuing,
  issueStatements,
  issuing,
  type Plan,
  type Progress,
  planStatements,
} from './plan.ts';
import { statementPositions, statementRuns } from './table.ts';

/** Job of a tenant, each month. */
export const statementsDue = 'statements';

const defaultAccountsAtOnce = 100;
const first = '00000000-0000-0000-0000-000000000000';

export interface StatementNeeds {
  readonly pool: pg.Pool;
  readonly clocks: Clocks;
  readonly links: DownloadLinks;
  /** How many accounts have their turn in one batch: it must not be long. */
  readonly accountsAtOnce?: number;
}

/** The tenant's clock, where it stands. */
export async function nowOf({ pool, clocks }: StatementNeeds, tenantId: string): Promise<Instant> {
  const { rows } = await pool.query<ClockFacts>(
    'select clock_offset_ms, clock_at from tenants where tenant_id = $1',
    [tenantId],
  );
  const [facts] = rows;
  assert(facts, 'a tenant with jobs is there');
  return clocks.at(tenantId, facts).now;
}

interface Run {
  readonly after_id: string;
  readonly finished: boolean;
}

/** The next accounts of a month, planned. */
interface Prepared {
  readonly month: Day;
  /** Where the run stood. */
  readonly run: Run | null;
  /** Where it stands after these. */
  readonly reached: Run;
  readonly plans: readonly Plan[];
  readonly issuing: Issuing;
}

async function readNext(
  needs: StatementNeeds,
  tenantId: string,
  month: Day,
  afterId: string,
): Promise<Pick<Prepared, 'plans' | 'reached'>> {
  const { pool, accountsAtOnce = defaultAccountsAtOnce } = needs;
  return readClosedPeriod(pool, tenantId, async (ask) => {
    const accounts = await ask<Progress>(
      `select a.id, a.opened_at, p.covered_until, p.balance
        from accounts a left join statement_positions p on p.tenant_id = $1 and p.account_id = a.id
        where a.tenant_id = $1 and a.id > $2 and a.status <> 'closed' and a.opened_at < $3
        order by a.id limit ${accountsAtOnce}`,
      [tenantId, afterId, spanOf(month).to],
    );
    const plans = await planStatements(ask, tenantId, accounts, month);
    const finished = accounts.length < accountsAtOnce;
    return { plans, reached: { after_id: accounts.at(-1)?.id ?? afterId, finished } };
  });
}

async function prepare(needs: StatementNeeds, tenantId: string): Promise<Prepared> {
  const month = lastMonthDue(await nowOf(needs, tenantId));
  const { rows } = await needs.pool.query<Run>(
    'select after_id, finished from statement_runs where tenant_id = $1 and period_end = $2',
    [tenantId, month],
  );
  const run = rows[0] ?? null;
  const next = run?.finished
    ? { plans: [], reached: run }
    : await readNext(needs, tenantId, month, run?.after_id ?? first);
  return { month, run, ...next, issuing: issuing(needs.links, tenantId) };
}

/**
 * Job `statements`: on the 1st at 06:00 Eastern Time, the month of every account that is not
 * closed, so many accounts at a time until all have had their turn. One that closed has its last
 * statement by a row of its own.
 */
export const statementsJob = (needs: StatementNeeds) =>
  command(statementsDue, {
    prepare: (_input: { ref: string }, { tenantId }) => prepare(needs, tenantId),
    load: async (read, _input, { month, plans }) => ({
      run: await read.maybe(statementRuns, month),
      positions: await Promise.all(
        plans.map(({ account }) => read.maybe(statementPositions, account.id)),
      ),
    }),
    decide: (work, { run, positions }, { ref }, prepared) => {
      const { month, plans, reached } = prepared;
      const isOurs = (run?.after_id ?? null) === (prepared.run?.after_id ?? null);
      const isOver = isOurs ? reached.finished : (run?.finished ?? false);
      work.scheduleJob(statementsDue, ref, isOver ? nextMonthDue(month) : work.now);
      if (!isOurs || run?.finished) return { value: null };
      for (const [index, plan] of plans.entries())
        issueStatements(work, prepared.issuing, plan, positions[index] ?? null);
      if (run) work.change(run, { ...reached });
      else work.create(statementRuns, { period_end: month, ...reached });
      return { value: null };
    },
  });
