import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { ClockFacts, Clocks } from '@tenant-payments/engine/time/clock.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import type { DownloadLinks } from '../../http/files/download_links.ts';
import type { Day } from '../limits/days.ts';
import { readClosedPeriod } from '../reconciliation/closed_period.ts';
import { spanOf } from '../reconciliation/day.ts';
import { lastMonthDue, nextMonthDue } from './periods.ts';
import {
  type IssueContext,
  issueContext,
  issueStatements,
  type Plan,
  type Progress,
  planStatements,
} from './plan.ts';
import { statementPositions, statementRuns } from './table.ts';

const defaultAccountsAtOnce = 100;
const first = '00000000-0000-0000-0000-000000000000';

export interface StatementContext {
  readonly pool: pg.Pool;
  readonly clocks: Clocks;
  readonly links: DownloadLinks;
  /** Accounts in one command, which must stay short. */
  readonly accountsAtOnce?: number;
}

/** The time on the Tenant's clock. */
export async function readTenantNow(
  { pool, clocks }: Pick<StatementContext, 'pool' | 'clocks'>,
  tenantId: string,
): Promise<Instant> {
  const { rows } = await pool.query<ClockFacts>(
    'select clock_offset_ms, clock_at from tenants where tenant_id = $1',
    [tenantId],
  );
  const [facts] = rows;
  assert(facts, 'a Tenant with jobs exists');
  return clocks.at(tenantId, facts).now;
}

interface Run {
  readonly after_id: string;
  readonly finished: boolean;
}

/** The plans of the next accounts of a month. */
interface Prepared {
  readonly month: Day;
  /** The run as it was read. */
  readonly run: Run | null;
  /** The run after these accounts. */
  readonly reached: Run;
  readonly plans: readonly Plan[];
  readonly issuing: IssueContext;
}

async function readNext(
  context: StatementContext,
  tenantId: string,
  month: Day,
  afterId: string,
): Promise<Pick<Prepared, 'plans' | 'reached'>> {
  const { pool, accountsAtOnce = defaultAccountsAtOnce } = context;
  return readClosedPeriod(pool, tenantId, async (query) => {
    const accounts = await query<Progress>(
      `select a.id, a.customer_id, a.opened_at, p.covered_until, p.balance
        from accounts a left join statement_positions p on p.tenant_id = $1 and p.account_id = a.id
        where a.tenant_id = $1 and a.id > $2 and a.status <> 'closed' and a.opened_at < $3
        order by a.id limit ${accountsAtOnce}`,
      [tenantId, afterId, spanOf(month).to],
    );
    const plans = await planStatements(query, tenantId, accounts, month);
    const finished = accounts.length < accountsAtOnce;
    return { plans, reached: { after_id: accounts.at(-1)?.id ?? afterId, finished } };
  });
}

async function prepare(context: StatementContext, tenantId: string): Promise<Prepared> {
  const month = lastMonthDue(await readTenantNow(context, tenantId));
  const { rows } = await context.pool.query<Run>(
    'select after_id, finished from statement_runs where tenant_id = $1 and period_end = $2',
    [tenantId, month],
  );
  const run = rows[0] ?? null;
  const next = run?.finished
    ? { plans: [], reached: run }
    : await readNext(context, tenantId, month, run?.after_id ?? first);
  return { month, run, ...next, issuing: issueContext(context.links, tenantId) };
}

/**
 * Job `statements`: on the 1st at 06:00 Eastern Time, the month of every account that is not
 * closed, some accounts in each run (rules/reports#16). A closed account gets its last statement by
 * a job of its own.
 */
export const statementsJob = (context: StatementContext) =>
  command('statements', {
    prepare: (_input: { ref: string }, { tenantId }) => prepare(context, tenantId),
    load: async (read, _input, { month, plans }) => ({
      run: await read.maybe(statementRuns, month),
      positions: await Promise.all(
        plans.map(({ account }) => read.maybe(statementPositions, account.id)),
      ),
    }),
    decide: (work, { run, positions }, { ref }, prepared) => {
      const { month, plans, reached } = prepared;
      const isCurrent = (run?.after_id ?? null) === (prepared.run?.after_id ?? null);
      const isOver = isCurrent ? reached.finished : (run?.finished ?? false);
      work.scheduleJob('statements', ref, isOver ? nextMonthDue(month) : work.now);
      if (!isCurrent || run?.finished) return { value: null };
      for (const [index, plan] of plans.entries())
        issueStatements(work, prepared.issuing, plan, positions[index] ?? null);
      if (run) work.change(run, { ...reached });
      else work.create(statementRuns, { period_end: month, ...reached });
      return { value: null };
    },
  });
