import { command } from '@tenant-payments/engine/command.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database.ts';
import { accounts, dormantAfterSeconds } from './table.ts';

/** Movements that the customer confirmed; what others sent does not count (rules/accounts#8). */
const confirmed = ['load', 'payment_sent', 'withdrawal', 'refund_sent'];

/**
 * When the last of them was made, or confirmed where it is still on its way. Read before the batch: one that commits in
 * between comes after a year without any, and too late.
 */
async function readLastConfirmed(
  db: Kysely<Database>,
  tenantId: string,
  accountId: string,
): Promise<Instant | null> {
  const { rows } = await sql<{ at: Instant | null }>`
    select max(at) as at from (
      (select created_at as at from entries where tenant_id = ${tenantId}
        and account_id = ${accountId} and transaction_type = any(${confirmed})
        order by created_at desc, id desc limit 1)
      union all
      select confirmed_at from loads where tenant_id = ${tenantId} and account_id = ${accountId}
        and status = 'processing'
      union all
      select confirmed_at from withdrawals where tenant_id = ${tenantId}
        and account_id = ${accountId} and status = 'processing'
      union all
      select confirmed_at from refunds where tenant_id = ${tenantId}
        and merchant_account_id = ${accountId} and status in ('pending_funds', 'processing')
    ) movements`.execute(db);
  return rows[0]?.at ?? null;
}

/**
 * Job `dormancy` of an account: 365 days after it was opened, reactivated or last moved by its
 * customer. A later movement starts another 365 days (rules/accounts#8).
 */
export const dormancyJob = ({ db }: { readonly db: Kysely<Database> }) =>
  command('dormancy', {
    prepare: ({ ref }: { ref: string }, { tenantId }) => readLastConfirmed(db, tenantId, ref),
    load: (read, { ref }) => read.one(accounts, ref),
    decide: (work, account, { ref }, last) => {
      const next = last === null ? work.now : addSeconds(last, dormantAfterSeconds);
      const { status } = account;
      if (status === 'closing' || status === 'closed' || status === 'dormant')
        work.cancelJob('dormancy', ref);
      else if (next > work.now) work.scheduleJob('dormancy', ref, next);
      else if (status === 'suspended')
        work.scheduleJob('dormancy', ref, addSeconds(work.now, dormantAfterSeconds));
      else {
        work.move(account, 'make_dormant');
        work.cancelJob('dormancy', ref);
      }
      return { value: null };
    },
  });
