import { type Institution, institutionOf } from '@tenant-payments/contract/core/institutions.ts';
import type { TransactionType } from '@tenant-payments/contract/recipes.ts';
import { type SettingsRow, settingsOf } from '@tenant-payments/engine/settings.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type { ClockFacts, Clocks } from '@tenant-payments/engine/time/clock.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { NoticeRow } from '@tenant-payments/service/resources/customers/notices/table.ts';
import { creationRange } from '@tenant-payments/service/resources/disputes/facts.ts';
import { type DisputeRow, disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import type pg from 'pg';

/** The movement that a customer disputes, as a letter names it. */
export interface Movement {
  readonly kind: 'payment' | 'transaction';
  readonly id: string;
  readonly type: TransactionType;
  /** Cents. */
  readonly amount: number;
  readonly at: Instant;
  /** Null: there is none. */
  readonly party: string | null;
}

/** A dispute with what its letters say of customer, Tenant and movement. */
export interface LetterFacts {
  readonly dispute: DisputeRow;
  /** The Tenant's brand name. */
  readonly issuer: string;
  readonly institution: Institution;
  readonly customer: string;
  readonly isErased: boolean;
  /** The bank account that the credit was sent to. */
  readonly bank: string;
  /** Null: nothing was credited. */
  readonly creditedAt: Instant | null;
  /** When the letter of the result was given; null: it is still to be given. */
  readonly resultGivenAt: Instant | null;
  readonly now: Instant;
  /** Null: the notice names none. */
  readonly movement: Movement | null;
  /** The notice that was answered before; null: it is filed for the first time. */
  readonly answered: Answered | null;
}

export type Answered = Pick<DisputeRow, 'id' | 'outcome' | 'resolved_at'>;

interface People extends SettingsRow, ClockFacts {
  readonly customer: string;
  readonly is_erased: boolean;
  readonly bank: string;
  readonly credited_at: Instant | null;
  /** State of the letter of the result; null: nobody was written to. */
  readonly letter_status: NoticeRow['status'] | null;
  readonly letter_sent_at: Instant | null;
}

const people = `select t.name, t.settings, t.clock_offset_ms, t.clock_at,
    coalesce(c.legal_name, concat_ws(' ', c.given_name, c.family_name)) as customer,
    c.erased_at is not null as is_erased,
    concat_ws(' ', l.institution_name, l.account_mask) as bank,
    (select min(e.created_at) from entries e where e.tenant_id = $1 and e.source_id = d.id
      and e.step in ('dispute_credited', 'dispute_credit_sent', 'dispute_credit_ordered')) as credited_at,
    n.status as letter_status, n.sent_at as letter_sent_at
  from disputes d join tenants t on t.tenant_id = $1
  join customers c on c.tenant_id = $1 and c.id = d.customer_id
  left join linked_accounts l on l.tenant_id = $1 and l.id = coalesce($3, d.credit_link_id)
  left join lateral (select status, sent_at from notices where tenant_id = $1
      and source_id = d.id and detail = 'result' order by created_at desc, id desc limit 1) n on true
  where d.tenant_id = $1 and d.id = $2`;

const paid = `select 'payment' as kind, p.id, p.amount, coalesce(p.completed_at, p.created_at) as at,
    case p.payer_customer_id when $3 then 'payment_sent' else 'payment_received' end as type,
    a.holder_name as party
  from payments p left join accounts a on a.tenant_id = $1
    and a.id = case p.payer_customer_id when $3 then p.payee_account_id else p.payer_account_id end
  where p.tenant_id = $1 and p.id = $2`;

const posted = `select 'transaction' as kind, e.id, e.amount,
    coalesce(e.posted_at, e.created_at) as at, e.transaction_type as type,
    coalesce(a.holder_name, l.institution_name || ' ' || l.account_mask) as party
  from (select id, amount, created_at, posted_at, transaction_type, counterpart_kind,
        counterpart_id
      from entries where tenant_id = $1 and account_id = $3 and id = $2
        and transaction_type is not null and created_at between $4 and $5
    union all select id, amount, created_at, posted_at, 'withdrawal', 'linked_account',
        linked_account_id
      from pending_transactions where tenant_id = $1 and account_id = $3 and id = $2
        and status <> 'posted') e
  left join accounts a on a.tenant_id = $1 and a.id = e.counterpart_id
    and e.counterpart_kind = 'account'
  left join linked_accounts l on l.tenant_id = $1 and l.id = e.counterpart_id
    and e.counterpart_kind = 'linked_account'`;

async function readMovement(
  pool: pg.Pool,
  tenantId: string,
  { movement_id, customer_id, account_id }: DisputeRow,
): Promise<Movement | null> {
  if (movement_id === null) return null;
  const ofPayment = await pool.query<Movement>(paid, [tenantId, movement_id, customer_id]);
  if (ofPayment.rows[0]) return ofPayment.rows[0];
  const { from, to } = creationRange(movement_id);
  const values = [tenantId, movement_id, account_id, from, to];
  return (await pool.query<Movement>(posted, values)).rows[0] ?? null;
}

async function readAnswered(
  pool: pg.Pool,
  tenantId: string,
  { reasserted_of }: DisputeRow,
): Promise<Answered | null> {
  if (reasserted_of === null) return null;
  const { rows } = await pool.query<Answered>(
    'select id, outcome, resolved_at from disputes where tenant_id = $1 and id = $2',
    [tenantId, reasserted_of],
  );
  return rows[0] ?? null;
}

/**
 * When the letter of the result was given to the customer, by mail or by a person. Before 1.1 nobody was written to, so
 * that it counts from the determination, as does a letter that comes after the debit.
 */
function givenAt(
  { status, resolved_at }: DisputeRow,
  { letter_status, letter_sent_at }: People,
): Instant | null {
  if (letter_status === null) return resolved_at;
  const isGiven = letter_status === 'sent' || letter_status === 'done';
  if (isGiven || status === 'closed') return letter_sent_at ?? resolved_at;
  return null;
}

/** A determination or credit that is not made yet. */
export interface Foreseen {
  readonly dispute: DisputeRow;
  readonly at: Instant;
}

export interface LetterSource {
  readonly pool: pg.Pool;
  readonly clocks: Clocks;
}

/**
 * Names as they are now, amounts as they were posted; null: there is no such dispute.
 * @param foreseen what a move would make of it, for a letter that nobody has sent
 */
export async function readLetterFacts(
  { pool, clocks }: LetterSource,
  tenantId: string,
  id: string | null,
  foreseen?: Foreseen,
): Promise<LetterFacts | null> {
  const [found, named] = await Promise.all([
    pool.query<DisputeRow>(
      `select ${columnList(disputes)} from disputes where tenant_id = $1 and id = $2`,
      [tenantId, id],
    ),
    pool.query<People>(people, [tenantId, id, foreseen?.dispute.credit_link_id ?? null]),
  ]);
  const [stored] = found.rows;
  const [who] = named.rows;
  if (!stored || !who) return null;
  const dispute = foreseen?.dispute ?? stored;
  const settings = settingsOf(tenantId, who);
  const [movement, answered] = await Promise.all([
    readMovement(pool, tenantId, dispute),
    readAnswered(pool, tenantId, dispute),
  ]);
  return {
    dispute,
    issuer: settings.branding.name,
    institution: institutionOf(settings),
    customer: who.customer,
    bank: who.bank,
    isErased: who.is_erased,
    creditedAt: who.credited_at ?? (dispute.credited_cents > 0 ? (foreseen?.at ?? null) : null),
    resultGivenAt: givenAt(dispute, who),
    now: foreseen?.at ?? clocks.at(tenantId, who).now,
    movement,
    answered,
  };
}
