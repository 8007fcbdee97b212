import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Instant } from '../../core/instant.ts';
import { type AccountRow, accounts } from '../accounts/table.ts';
import { addDays, type Day, easternDay } from '../limits/days.ts';
import { readClosedPeriod } from '../reconciliation/closed_period.ts';
import { nowOf, type StatementNeeds } from './monthly.ts';
import {
  issueStatements,
  issuing,
  nextStart,
  type Plan,
  type Progress,
  planStatements,
} from './plan.ts';
import { statementPositions } from './table.ts';

/** Job of an account: its last statement when it has closed, else what is lacking until yesterday. */
export const accountStatementDue = 'account_statement';

interface Standing extends Progress {
  readonly closed_at: Instant | null;
}

const untilOf = (closedAt: Instant | null, now: Instant): Day =>
  closedAt === null ? addDays(easternDay(now), -1) : easternDay(closedAt);

async function prepare(needs: StatementNeeds, tenantId: string, accountId: string) {
  const now = await nowOf(needs, tenantId);
  const plans = await readClosedPeriod(needs.pool, tenantId, async (ask): Promise<Plan[]> => {
    const [account] = await ask<Standing>(
      `select a.id, a.opened_at, a.closed_at, p.covered_until, p.balance
        from accounts a left join statement_positions p on p.tenant_id = $1 and p.account_id = a.id
        where a.tenant_id = $1 and a.id = $2`,
      [tenantId, accountId],
    );
    if (!account) return [];
    return planStatements(ask, tenantId, [account], untilOf(account.closed_at, now));
  });
  return { plan: plans[0] ?? null, issuing: issuing(needs.links, tenantId) };
}

/**
 * Job `account_statement`: at once when an account has closed (decisions 2.3: the last ends at
 * closed_at's date), and when the sandbox asks for one.
 */
export const accountStatementJob = (needs: StatementNeeds) =>
  command(accountStatementDue, {
    prepare: ({ ref }: { ref: string }, { tenantId }) => prepare(needs, tenantId, ref),
    load: (read, { ref }) => read.maybe(statementPositions, ref),
    decide: (work, position, { ref }, prepared) => {
      const { plan } = prepared;
      const isDone = plan === null || issueStatements(work, prepared.issuing, plan, position);
      // What was planned has been overtaken: the rest of it is planned anew.
      if (isDone) work.cancelJob(accountStatementDue, ref);
      else work.scheduleJob(accountStatementDue, ref, work.now);
      return { value: null };
    },
  });

const served: readonly AccountRow['status'][] = ['active', 'dormant', 'suspended', 'closing'];

/**
 * What the sandbox plays as `statement.available`: the period up to yesterday, Eastern Time, closes.
 * @throws ApiError invalid_state for a closed account, and where yesterday has its statement
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
    if (account.status === 'closed' || isEmpty)
      throw fail('invalid_state', {
        details: {
          current_status: account.status,
          allowed: served,
          ...(isEmpty ? { reason: 'period_empty' } : {}),
        },
      });
    work.scheduleJob(accountStatementDue, account.id, work.now);
    return { record: account };
  },
});
