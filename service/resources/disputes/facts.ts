import { epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database.ts';
import { type LongerPeriods, readLongerPeriods } from '../customers/documents/read.ts';
import { type Day, easternDay } from '../limits/days.ts';

/**
 * Facts from entries and statements, which the engine does not load. They never change, so they are
 * read before the batch.
 */
export interface NoticeFacts {
  readonly transaction: DisputedTransaction | null;
  /** When the account received its first money. */
  readonly firstDepositAt: Instant | null;
  /** The periods in the terms that the customer accepted (rules/documents#26). */
  readonly longerPeriods: LongerPeriods;
  /**
   * When the first statement that shows the movement was sent; null: there is none yet
   * (rules/disputes#6).
   */
  readonly statementAt: Instant | null;
}

export interface DisputedTransaction {
  readonly id: string;
  readonly sourceType: string;
  readonly sourceId: string;
  /** Cents. */
  readonly amount: number;
  /** Null: pending or reversed. */
  readonly postedAt: Instant | null;
}

interface TransactionRow {
  readonly id: string;
  readonly source_type: string;
  readonly source_id: string;
  readonly amount: number;
  readonly posted_at: Instant | null;
}

/** The time within a UUIDv7 and `created_at` differ by less than this. */
const toleranceMs = 3_600_000;

const msOf = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);

/** The time within the id of a record. */
export const madeAt = (uuid: string): Instant => instantOf(msOf(uuid));

/** Bounds of `created_at` by the id: entries are indexed by account and time. */
export function creationRange(uuid: string): { from: Instant; to: Instant } {
  const madeMs = msOf(uuid);
  const latestMs = epochMs('9999-12-31T00:00:00.000Z');
  const at = (ms: number) => instantOf(Math.min(Math.max(ms, 0), latestMs));
  return { from: at(madeMs - toleranceMs), to: at(madeMs + toleranceMs) };
}

const accountOf = (tenantId: string, customerId: string) =>
  sql`(select account_id from customers where tenant_id = ${tenantId} and id = ${customerId})`;

/** The Transaction of this id on the customer's own account: its holder is its party. */
async function readTransaction(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
  id: string,
): Promise<DisputedTransaction | null> {
  const { from, to } = creationRange(id);
  const account = accountOf(tenantId, customerId);
  const { rows } = await sql<TransactionRow>`
    select id, source_type, source_id, amount, coalesce(posted_at, created_at) as posted_at
      from entries where tenant_id = ${tenantId} and account_id = ${account} and id = ${id}
        and transaction_type is not null and created_at between ${from} and ${to}
    union all
    select id, 'withdrawal', source_id, amount, null
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
      }
    : null;
}

async function readFirstDeposit(
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

/**
 * When the statement whose period holds the day of posting was sent: the notice that it is ready
 * [1005.11(b)(1)(i)]. A mail that bounced told nobody, until a person gives the notice (rules/messages#11), and 1.0 sent
 * none.
 */
async function readStatementTime(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
  postedAt: Instant,
): Promise<Instant | null> {
  const day = easternDay(postedAt);
  const { rows } = await sql<{ period_end: Day; sent_at: Instant | null }>`
    select s.period_end, case when n.status in ('sent', 'done') then n.sent_at end as sent_at
    from statements s left join notices n on n.tenant_id = s.tenant_id and n.source_id = s.id
      and n.kind = 'statement_ready'
    where s.tenant_id = ${tenantId}
      and s.account_id = ${accountOf(tenantId, customerId)} and s.period_start <= ${day}
    order by s.period_start desc limit 1`.execute(db);
  const [last] = rows;
  return last && last.period_end >= day ? last.sent_at : null;
}

/** When the payment that a notice names was completed; null: it was not, or none is named. */
async function readCompletion(
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

export async function readNoticeFacts(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string | null,
  paymentId: string | null,
  transactionId: string | null,
): Promise<NoticeFacts> {
  if (customerId === null) {
    const longerPeriods = { areSaid: false, from: null };
    return { transaction: null, firstDepositAt: null, longerPeriods, statementAt: null };
  }
  const [transaction, completedAt, firstDepositAt, longerPeriods] = await Promise.all([
    transactionId === null ? null : readTransaction(db, tenantId, customerId, transactionId),
    readCompletion(db, tenantId, paymentId),
    readFirstDeposit(db, tenantId, customerId),
    readLongerPeriods(db, tenantId, customerId),
  ]);
  const postedAt = completedAt ?? transaction?.postedAt ?? null;
  const statementAt = postedAt && (await readStatementTime(db, tenantId, customerId, postedAt));
  return { transaction, firstDepositAt, longerPeriods, statementAt };
}
