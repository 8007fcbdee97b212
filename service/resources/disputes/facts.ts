import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { epochMs, type Instant, instantOf } from '../../core/instant.ts';
import type { Database } from '../database.ts';
import { type Day, easternDay } from '../limits/days.ts';

/**
 * What a notice rests on that stands in the journal, which the engine does not read. It never
 * changes once it is there, so it is asked before the batch.
 */
export interface NoticeFacts {
  readonly transaction: DisputedTransaction | null;
  /** The first money that came to the customer's account. */
  readonly firstDepositAt: Instant | null;
  /**
   * When the statement of the customer was there that is the first to show the movement; null: none
   * does yet. One that is made while the notice is decided leaves it in time as well.
   */
  readonly statementAt: Instant | null;
}

export interface DisputedTransaction {
  readonly id: string;
  readonly sourceType: string;
  readonly sourceId: string;
  /** Cents. */
  readonly amount: number;
  /** Null: it is pending, or was reversed. */
  readonly postedAt: Instant | null;
  readonly isReversed: boolean;
}

interface TransactionRow {
  readonly id: string;
  readonly source_type: string;
  readonly source_id: string;
  readonly amount: number;
  readonly status: 'pending' | 'posted' | 'reversed';
  readonly posted_at: Instant | null;
}

/** An id holds the time at which it was made, which `created_at` follows closely. */
const slackMs = 3_600_000;

/** When a Transaction of this id was created, about: the journal is read by account and time. */
function aboutWhen(uuid: string): { from: Instant; to: Instant } {
  const madeMs = Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
  const latestMs = epochMs('9999-12-31T00:00:00.000Z');
  const at = (ms: number) => instantOf(Math.min(Math.max(ms, 0), latestMs));
  return { from: at(madeMs - slackMs), to: at(madeMs + slackMs) };
}

const accountOf = (tenantId: string, customerId: string) =>
  sql`(select account_id from customers where tenant_id = ${tenantId} and id = ${customerId})`;

/** The Transaction of this id on the customer's own account: a party to it is whose account it is on. */
async function findTransaction(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
  id: string,
): Promise<DisputedTransaction | null> {
  const { from, to } = aboutWhen(id);
  const account = accountOf(tenantId, customerId);
  const { rows } = await sql<TransactionRow>`
    select id, source_type, source_id, amount, 'posted' as status,
        coalesce(posted_at, created_at) as posted_at
      from entries where tenant_id = ${tenantId} and account_id = ${account} and id = ${id}
        and transaction_type is not null and created_at between ${from} and ${to}
    union all
    select id, 'withdrawal', source_id, amount, status, null
      from pending_transactions where tenant_id = ${tenantId} and account_id = ${account}
        and id = ${id} and status <> 'posted'`.execute(db);
  const [row] = rows;
  return row
    ? {
        id: row.id,
        sourceType: row.source_type,
        sourceId: row.source_id,
        amount: row.amount,
        postedAt: row.posted_at,
        isReversed: row.status === 'reversed',
      }
    : null;
}

async function firstDeposit(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
): Promise<Instant | null> {
  const { rows } = await sql<{ created_at: Instant }>`
    select created_at from entries where tenant_id = ${tenantId}
      and account_id = ${accountOf(tenantId, customerId)}
      and transaction_type is not null and delta > 0
    order by created_at, id limit 1`.execute(db);
  return rows[0]?.created_at ?? null;
}

/** The statement whose period holds the day of posting: it is made once, and never changes. */
async function statementOf(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
  postedAt: Instant,
): Promise<Instant | null> {
  const day = easternDay(postedAt);
  const { rows } = await sql<{ period_end: Day; available_at: Instant }>`
    select period_end, available_at from statements where tenant_id = ${tenantId}
      and account_id = ${accountOf(tenantId, customerId)} and period_start <= ${day}
    order by period_start desc limit 1`.execute(db);
  const [last] = rows;
  return last && last.period_end >= day ? last.available_at : null;
}

/** When the payment was completed that a notice names; null: it was not, or there is none. */
async function completionOf(
  db: Kysely<Database>,
  tenantId: string,
  paymentId: string | null,
): Promise<Instant | null> {
  if (paymentId === null) return null;
  const found = await db
    .selectFrom('payments')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', paymentId)
    .select('completed_at')
    .executeTakeFirst();
  return found?.completed_at ?? null;
}

export async function factsOf(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string | null,
  paymentId: string | null,
  transactionId: string | null,
): Promise<NoticeFacts> {
  if (customerId === null) return { transaction: null, firstDepositAt: null, statementAt: null };
  const [transaction, completedAt, firstDepositAt] = await Promise.all([
    transactionId === null ? null : findTransaction(db, tenantId, customerId, transactionId),
    completionOf(db, tenantId, paymentId),
    firstDeposit(db, tenantId, customerId),
  ]);
  const postedAt = completedAt ?? transaction?.postedAt ?? null;
  const statementAt = postedAt && (await statementOf(db, tenantId, customerId, postedAt));
  return { transaction, firstDepositAt, statementAt };
}
