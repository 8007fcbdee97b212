import type { Check } from '../check.ts';
import { payeeFees } from '../money/holds.ts';

const paid = `('completed', 'partially_refunded', 'refunded')`;

/** Payments and their refunds (rules/invariants#7). */
const paymentRules: readonly Check[] = [
  {
    name: '7.refunded_amount',
    clause: 'refunded_amount is the sum of completed refunds, and the status says so',
    sql: `select p.tenant_id, 'payment' as kind, p.id,
        format('%s with %s of %s refunded', p.status, p.refunded_amount, p.amount) as message
      from payments p where p.refunded_amount not between 0 and p.amount
        or (p.status = 'refunded') <> (p.refunded_amount = p.amount)
        or (p.status = 'partially_refunded')
          <> (p.refunded_amount > 0 and p.refunded_amount < p.amount)`,
  },
  {
    name: '7.refunds',
    clause: "the payment's counters are the sums of its refunds, and together at most its amount",
    sql: `select p.tenant_id, 'payment' as kind, p.id,
        format('refunded %s of %s, under way %s of %s', p.refunded_amount, coalesce(r.completed, 0),
          p.open_refunds, coalesce(r.under_way, 0)) as message
      from payments p left join (select tenant_id, payment_id,
        coalesce(sum(amount) filter (where status = 'completed'), 0) as completed,
        coalesce(sum(amount) filter (where status not in ('completed', 'failed')), 0) as under_way
        from refunds group by tenant_id, payment_id) r
        on r.tenant_id = p.tenant_id and r.payment_id = p.id
      where p.refunded_amount <> coalesce(r.completed, 0)
        or p.open_refunds <> coalesce(r.under_way, 0)
        or p.refunded_amount + p.open_refunds > p.amount`,
  },
  {
    name: '7.destination',
    clause: 'a refund goes from the merchant to the payer, to a balance or to a link of the payer',
    sql: `select r.tenant_id, 'refund' as kind, r.id, format('%s, link %s', r.destination,
        r.linked_account_id) as message
      from refunds r join payments p on p.tenant_id = r.tenant_id and p.id = r.payment_id
      where (r.destination = 'bank_account') <> (r.linked_account_id is not null)
        or r.merchant_customer_id <> p.payee_customer_id
        or r.payer_customer_id <> p.payer_customer_id`,
  },
  {
    name: '7.queue_due',
    clause: 'the first of the waiting refunds does not wait for funds that exist',
    sql: `select a.tenant_id, 'account' as kind, a.id,
        format('%s and %s of a dispute are there for the first of %s, and no turn is due',
          b.available, coalesce(e.held_cents, 0), r.amount)
        as message
      from accounts a join balances b on b.tenant_id = a.tenant_id and b.account_id = a.id
      join (select distinct on (tenant_id, merchant_account_id) tenant_id, merchant_account_id,
          payment_id, amount from refunds where status = 'pending_funds'
          order by tenant_id, merchant_account_id, waiting_since, id) r
        on r.tenant_id = a.tenant_id and r.merchant_account_id = a.id
      join payments p on p.tenant_id = r.tenant_id and p.id = r.payment_id
      left join disputes e on e.tenant_id = p.tenant_id and e.id = p.dispute_id
      where a.suspension_reasons = '' and r.amount <= b.available + coalesce(e.held_cents, 0)
        and not exists (select from jobs d where d.tenant_id = a.tenant_id
          and d.name = 'refund_queue' and d.ref = a.id)`,
  },
  {
    name: '7.fees',
    clause: 'net_amount = amount - payee fees >= 0; a fee has a bearer',
    sql: `select p.tenant_id, 'payment' as kind, p.id, format('amount %s, fees %s by %s, %s by %s',
        p.amount, p.platform_fee, p.platform_fee_paid_by, p.tenant_fee, p.tenant_fee_paid_by)
        as message
      from payments p where ${payeeFees} > p.amount or p.platform_fee < 0 or p.tenant_fee < 0
        or (p.platform_fee_paid_by is null and p.platform_fee <> 0)
        or (p.tenant_fee_paid_by is null and p.tenant_fee <> 0)`,
  },
  {
    name: '7.parties',
    clause: 'payer and payee differ; merchants pay with an invoice_reference, consumers are people',
    sql: `select p.tenant_id, 'payment' as kind, p.id,
        format('%s, payer %s', p.type, payer.type) as message
      from payments p join customers payer
        on payer.tenant_id = p.tenant_id and payer.id = p.payer_customer_id
      where p.payer_customer_id = p.payee_customer_id
        or (p.type = 'merchant_to_merchant') <> (payer.type = 'business')
        or (p.type = 'merchant_to_merchant' and p.invoice_reference is null)`,
  },
];

/** Requests and the payments that pay them (rules/invariants#8). */
const requestRules: readonly Check[] = [
  {
    name: '8.paid_once',
    clause: 'paid <=> exactly one payment of the dynamic request completed: paid_payment_id',
    sql: `select r.tenant_id, 'payment_request' as kind, r.id, format('%s by %s, completed: %s',
        r.status, r.paid_payment_id, coalesce(p.payers::text, 'none')) as message
      from payment_requests r left join (select tenant_id, payment_request_id,
        array_agg(id order by id) as payers from payments
        where payment_request_id is not null and status in ${paid}
        group by tenant_id, payment_request_id) p
        on p.tenant_id = r.tenant_id and p.payment_request_id = r.id
      where r.type = 'dynamic' and (case when r.status = 'paid'
        then p.payers is distinct from array[r.paid_payment_id]
        else p.payers is not null or r.paid_payment_id is not null end)`,
  },
  {
    name: '8.claimed_once',
    clause: 'a payment of a dynamic request in processing <=> it is claimed_by; so at most one is',
    sql: `select r.tenant_id, 'payment_request' as kind, r.id,
        format('claimed by %s, processing: %s', r.claimed_by, p.id) as message
      from payment_requests r left join payments p
        on p.tenant_id = r.tenant_id and p.payment_request_id = r.id and p.status = 'processing'
        and r.type = 'dynamic'
      where r.claimed_by is distinct from p.id`,
  },
  {
    name: '8.amount',
    clause: 'no payment is above the amount of its request',
    sql: `select p.tenant_id, 'payment' as kind, p.id,
        format('%s of the requested %s', p.amount, r.amount) as message
      from payments p join payment_requests r
        on r.tenant_id = p.tenant_id and r.id = p.payment_request_id
      where p.amount > r.amount`,
  },
  {
    name: '8.types',
    clause: 'a static request is never paid and never expires; a dynamic one has amount and end',
    sql: `select tenant_id, 'payment_request' as kind, id,
        format('%s, %s, amount %s', type, status, amount) as message
      from payment_requests where case type
        when 'static' then status in ('paid', 'expired') or paid_payment_id is not null
          or expires_at is not null or amount is not null or collection_reference is null
        else amount is null or expires_at is null end`,
  },
];

export const paymentsChecks: readonly Check[] = [...paymentRules, ...requestRules];
