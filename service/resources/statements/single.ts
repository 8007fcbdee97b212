import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { type AccountRow, accounts } from '../accounts/table.ts';
import { addDays, type Day, easternDay, startOfDay } from '../limits/days.ts';
import { readClosedPeriod } from '../reconciliation/closed_period.ts';
import { readTenantNow, type StatementContext } from './monthly.ts';
import {
  issueContext,
  issueStatements,
  nextStart,
  type Plan,
  type Progress,
  planStatements,
} from './plan.ts';
import { statementPositions } from './table.ts';

interface ReadAccount extends Progress {
  readonly closed_at: Instant | null;
}

const untilOf = (closedAt: Instant | null, now: Instant): Day =>
  closedAt === null ? addDays(easternDay(now), -1) : easternDay(closedAt);

async function prepare(context: StatementContext, tenantId: string, accountId: string) {
  const now = await readTenantNow(context, tenantId);
  const plans = await readClosedPeriod(context.pool, tenantId, async (query): Promise<Plan[]> => {
    const [account] = await query<ReadAccount>(
      `select a.id, a.customer_id, a.opened_at, a.closed_at, p.covered_until, p.balance
        from accounts a left join statement_positions p on p.tenant_id = $1 and p.account_id = a.id
        where a.tenant_id = $1 and a.id = $2`,
      [tenantId, accountId],
    );
    if (!account) return [];
    return planStatements(query, tenantId, [account], untilOf(account.closed_at, now));
  });
  return { plan: plans[0] ?? null, issuing: issueContext(context.links, tenantId) };
}

/**
 * Job `account_statement`, at once after a closing and at `closePeriod`: the statements of one
 * account up to the date of closed_at (rules/reports#17), or else up to yesterday.
 */
export const accountStatementJob = (context: StatementContext) =>
  command('account_statement', {
    prepare: ({ ref }: { ref: string }, { tenantId }) => prepare(context, tenantId, ref),
    load: (read, { ref }) => read.maybe(statementPositions, ref),
    decide: (work, position, { ref }, prepared) => {
      const { plan } = prepared;
      const isDone = plan === null || issueStatements(work, prepared.issuing, plan, position);
      // Another run made some of them meanwhile: plan the rest again.
      if (isDone) work.cancelJob('account_statement', ref);
      else work.scheduleJob('account_statement', ref, work.now);
      return { value: null };
    },
  });

const openStatuses: readonly AccountRow['status'][] = ['active', 'dormant', 'suspended', 'closing'];

/** A period holds at least one whole day, so it can be closed when its first is over. */
function periodEmpty(current_status: AccountRow['status'], period_start: Day) {
  const available_at = startOfDay(addDays(period_start, 1));
  const facts = { reason: 'period_empty', period_start, available_at };
  return fail('invalid_state', {
    details: { current_status, allowed: openStatuses, ...facts },
    message: `nothing to state: the period began on ${period_start} and can be closed from ${available_at} on, when that day is over in Eastern Time`,
  });
}

/**
 * Simulates `statement.available`: ends the period up to yesterday, Eastern Time
 * (rules/reports#19).
 * @throws ApiError invalid_state for a closed account; {reason: period_empty}
 */
export const closePeriod = command('close_period', {
  load: async (read, { id }: { id: string }) => ({
    account: await read.one(accounts, id),
    position: await read.maybe(statementPositions, id),
  }),
  decide: (work, { account, position }) => {
    const covered_until = position?.covered_until ?? null;
    const start = nextStart({ ...account, covered_until, balance: null });
    const isEmpty = start > untilOf(null, work.now);
    const { status } = account;
    if (status !== 'closed' && isEmpty) throw periodEmpty(status, start);
    if (status === 'closed')
      throw fail('invalid_state', { details: { current_status: status, allowed: openStatuses } });
    work.scheduleJob('account_statement', account.id, work.now);
    return { record: account };
  },
});
