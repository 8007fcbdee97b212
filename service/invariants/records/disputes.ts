import type { Check } from '../check.ts';

const unresolved = `('received', 'investigating', 'provisional_credit')`;

/** The amount still disputed of a dispute `d` of payment `p`. */
const refundedSince = 'coalesce(p.refunded_amount - d.refunded_before, 0)';
const counted = `left join payments p on p.tenant_id = d.tenant_id and p.id = d.counted_payment_id`;

/** Earmarks of disputes, and what refunds took of them (rules/invariants#5). */
const holds: readonly Check[] = [
  {
    name: '5.held_by_disputes',
    clause: 'until it has resolved, a dispute holds what refunds left of its earmark',
    sql: `select d.tenant_id, 'dispute' as kind, d.id, format('%s holds %s of %s, refunds took %s',
        d.status, d.held_cents, d.earmarked_cents, coalesce(r.taken, 0)) as message
      from disputes d left join (select tenant_id, dispute_id, sum(dispute_cents - returned_cents) as taken
        from refunds where dispute_id is not null group by tenant_id, dispute_id) r
        on r.tenant_id = d.tenant_id and r.dispute_id = d.id
      where d.earmarked_cents <> d.held_cents + d.recovered_cents + d.released_cents
          + coalesce(r.taken, 0)
        or (d.status not in ${unresolved} and d.held_cents <> 0)
        or (d.status in ${unresolved} and d.recovered_cents + d.released_cents <> 0)
        or (d.earmarked_cents > 0 and d.merchant_account_id is null)
        or d.earmarked_cents > coalesce(d.disputed_cents, 0)`,
  },
  {
    name: '5.taken_by_refunds',
    clause: 'a refund took from an earmark what it did not hold itself, and gave no more back',
    sql: `select tenant_id, 'refund' as kind, id, format('%s: %s of %s, %s given back', status,
        dispute_cents, amount, returned_cents) as message
      from refunds where dispute_cents not between 0 and amount
        or (dispute_id is null) <> (dispute_cents = 0)
        or returned_cents not in (0, dispute_cents) or (returned_cents > 0 and status <> 'failed')`,
  },
];

/** The counters of a payment that its disputes change (rules/invariants#7). */
const counters: readonly Check[] = [
  {
    name: '7.disputes',
    clause: 'the counters are the dispute credits not taken back, and the awards of ended disputes',
    sql: `select p.tenant_id, 'payment' as kind, p.id, format('credited %s of %s, awarded %s of %s',
        p.disputed_cents, coalesce(d.standing, 0), p.awarded_cents, coalesce(d.awarded, 0)) as message
      from payments p left join (select tenant_id, counted_payment_id as id,
        sum(credited_cents - taken_back_cents) as standing, sum(coalesce(award_cents, 0)) as awarded
        from disputes where counted_payment_id is not null group by 1, 2) d using (tenant_id, id)
      where p.disputed_cents <> coalesce(d.standing, 0) or p.awarded_cents <> coalesce(d.awarded, 0)`,
  },
  {
    name: '7.awards',
    clause:
      "refunds completed and in processing and awards of ended disputes are within the payment, with the payer's fees where they are disputed too",
    sql: `select tenant_id, 'payment' as kind, id, format('refunded %s, under way %s, awarded %s of %s',
        refunded_amount, refunding_cents, awarded_cents, amount) as message
      from payments where refunded_amount + refunding_cents + awarded_cents
          > amount + coalesce(disputed_fee_cents, 0)
        or refunded_amount + refunding_cents > amount
        or disputed_fee_cents <> case platform_fee_paid_by when 'payer' then platform_fee else 0 end
          + case tenant_fee_paid_by when 'payer' then tenant_fee else 0 end`,
  },
  {
    name: '7.refunding',
    clause: 'the amount on its way to banks is the sum of the refunds in processing',
    sql: `select p.tenant_id, 'payment' as kind, p.id, format('under way %s of %s', p.refunding_cents,
        coalesce(r.processing, 0)) as message
      from payments p left join (select tenant_id, payment_id as id, sum(amount) as processing
        from refunds where status = 'processing' group by 1, 2) r using (tenant_id, id)
      where p.refunding_cents <> coalesce(r.processing, 0)`,
  },
  {
    name: '7.dispute_id',
    clause: "a payment names its payer's latest dispute that is not linked to another",
    // By their instants: ids of one millisecond that two processes made are in no order.
    sql: `select p.tenant_id, 'payment' as kind, p.id,
        format('names %s of %s, the latest is of %s', p.dispute_id, d.created_at, l.at) as message
      from payments p left join (select tenant_id, counted_payment_id, max(created_at) as at
        from disputes where counted_payment_id is not null group by 1, 2) l
        on l.tenant_id = p.tenant_id and l.counted_payment_id = p.id
      left join disputes d on d.tenant_id = p.tenant_id and d.id = p.dispute_id
        and d.counted_payment_id = p.id
      where d.created_at is distinct from l.at or (p.dispute_id is null) <> (l.at is null)`,
  },
];

/** Credits, notices and their deadlines (rules/invariants#12). */
const rules: readonly Check[] = [
  {
    name: '12.credits',
    clause:
      'the credit is within the disputed amount, and no more is taken back than the award allows',
    sql: `select tenant_id, 'dispute' as kind, id, format('%s: %s credited, %s awarded, %s taken back of %s',
        status, credited_cents, award_cents, taken_back_cents, disputed_cents) as message
      from disputes where credited_cents - taken_back_cents > coalesce(disputed_cents, 0)
        or coalesce(award_cents, 0) > credited_cents
        or taken_back_cents > credited_cents - coalesce(award_cents, credited_cents)
        or recovered_cents > coalesce(award_cents, 0)
        or coalesce(provisional_credit_amount, credited_cents) <> credited_cents
        or (credited_cents > 0) <> (credit_route is not null)`,
  },
  {
    name: '12.came_back',
    clause:
      'no credit that stands gives what had come back of a withdrawal, unless a reviewer set the amount or it had failed before its notice',
    sql: `select d.tenant_id, 'dispute' as kind, d.id,
        format('%s credited of a withdrawal of %s that is %s', d.credited_cents, w.amount, w.status)
        as message
      from disputes d join pending_transactions p on p.tenant_id = d.tenant_id and p.id = d.movement_id
      join withdrawals w on w.tenant_id = p.tenant_id and w.id = p.source_id
      join entries e on e.tenant_id = d.tenant_id and e.source_id = d.id and e.pocket = 'reserve'
        and e.step in ('dispute_credited', 'dispute_credit_ordered')
      where not d.amount_by_staff and d.credited_cents - d.taken_back_cents + case w.status
        when 'failed' then case when w.updated_at >= d.created_at and w.updated_at < e.created_at
          then w.amount else 0 end
        else coalesce((select sum(s.amount) from suspense s where s.tenant_id = w.tenant_id
          and (s.source_id = w.id or s.source_id in (select m.id from bank_messages m
            where m.tenant_id = w.tenant_id and m.source_id = w.id)) and s.reason = 'returned' and s.resolved_at < e.created_at
          and (s.status = 'matched' or not exists (select from instructions i where i.tenant_id = s.tenant_id
            and i.source_type = 'adjustment' and i.source_id = s.id and i.kind = 'internal_transfer')
          and not exists (select from suspense a where a.tenant_id = s.tenant_id and a.source_id = s.id))), 0) end
        > w.amount`,
  },
  {
    name: '12.outcome',
    clause: 'the award follows from the outcome',
    sql: `select tenant_id, 'dispute' as kind, id,
        format('%s with an award of %s', outcome, award_cents) as message
      from disputes where linked_to is null and (case
        when outcome is null then award_cents is not null
        when outcome in ('denied', 'withdrawn', 'refunded_by_merchant') then award_cents is distinct from 0
        else award_cents is null end)`,
  },
  {
    name: '12.one_at_a_time',
    clause: "of a customer's open notices of a movement, one is not linked to another",
    sql: `select tenant_id, 'customer' as kind, customer_id as id,
        format('%s notices of %s stand for themselves', count(*), movement_id) as message
      from disputes where linked_to is null and status <> 'closed' and movement_id is not null
      group by tenant_id, customer_id, movement_id having count(*) > 1`,
  },
  {
    name: '12.linked',
    clause: 'a linked notice is of the same movement, moves no money and ends with the first',
    sql: `select d.tenant_id, 'dispute' as kind, d.id,
        format('%s, linked to one that is %s', d.status, coalesce(f.status, 'none')) as message
      from disputes d left join disputes f on f.tenant_id = d.tenant_id and f.id = d.linked_to
      where d.linked_to is not null and (f.id is null or f.linked_to is not null
        or f.customer_id <> d.customer_id or f.movement_id <> d.movement_id
        or d.earmarked_cents + d.credited_cents + coalesce(d.award_cents, 0) <> 0
        or d.counted_payment_id is not null
        or (f.status in ${unresolved}) <> (d.status in ${unresolved})
          and not exists (select from jobs w where w.tenant_id = d.tenant_id
            and w.name = 'dispute_follow' and w.ref = d.id)
        or (d.status not in ${unresolved}
          and (d.status <> f.status or d.outcome is distinct from f.outcome)))`,
  },
  {
    name: '12.deadlines',
    clause: 'an open notice under Regulation E has its deadlines, its own or those of the first',
    sql: `select d.tenant_id, 'dispute' as kind, d.id, format('%s without deadline', d.status) as message
      from disputes d join disputes f on f.tenant_id = d.tenant_id
        and f.id = coalesce(d.linked_to, d.id)
      where d.regulation_e and f.status in ${unresolved}
        and (f.result_due_at is null
          or (f.credit_due_at is null and f.provisional_credit_amount is null))`,
  },
  {
    name: '12.no_deadlines',
    clause: 'a resolved dispute waits only for its notices and its reversal',
    sql: `select tenant_id, 'dispute' as kind, id, format('%s with deadlines', status) as message
      from disputes where (status not in ${unresolved}
          and (credit_due_at is not null or result_due_at is not null))
        or (provisional_credit_amount is not null and credit_due_at is not null)
        or (linked_to is null and (status = 'resolved') <> (reversal_due_at is not null))`,
  },
  {
    name: '12.reasserted',
    clause:
      'a notice that was answered before moves no money and has no deadline until it is opened again',
    sql: `select tenant_id, 'dispute' as kind, id,
        format('%s: %s credited, %s awarded', status, credited_cents, award_cents) as message
      from disputes where linked_to is null and reasserted_of is not null and reopened_at is null
        and (regulation_e or credited_cents <> 0 or coalesce(award_cents, 0) <> 0
          or credit_due_at is not null or result_due_at is not null)`,
  },
  {
    name: '12.refunded',
    clause: 'a dispute whose amount was refunded has resolved',
    sql: `select d.tenant_id, 'dispute' as kind, d.id,
        format('%s, %s of %s refunded', d.status, ${refundedSince}, d.disputed_cents) as message
      from disputes d ${counted}
      where d.linked_to is null and d.status in ${unresolved} and d.disputed_cents > 0
        and ${refundedSince} >= d.disputed_cents
        and not exists (select from jobs w where w.tenant_id = d.tenant_id
          and w.name = 'dispute_follow' and w.ref = d.id)`,
  },
];

/** Disputes (rules/invariants#5, #7 and #12). */
export const disputesChecks: readonly Check[] = [...holds, ...counters, ...rules];
