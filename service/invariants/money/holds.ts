import type { Check } from '../check.ts';

/** Fees that the payer pays in addition, in cents, of a payment `p`. */
export const payerFees = `(case when p.platform_fee_paid_by = 'payer' then p.platform_fee else 0 end
  + case when p.tenant_fee_paid_by = 'payer' then p.tenant_fee else 0 end)`;

/** Fees that are taken from the merchant's amount, in cents, of a payment `p`. */
export const payeeFees = `(case when p.platform_fee_paid_by = 'payee' then p.platform_fee else 0 end
  + case when p.tenant_fee_paid_by = 'payee' then p.tenant_fee else 0 end)`;

/** Reservations and the pockets that hold them (rules/invariants#5). */
export const holdsChecks: readonly Check[] = [
  {
    name: '5.held_cents',
    clause:
      'an unconfirmed payment from balance holds amount + payer fees, any other holds nothing',
    sql: `select p.tenant_id, 'payment' as kind, p.id,
        format('%s holds %s', p.status, p.held_cents) as message
      from payments p where p.held_cents <> case
        when p.status = 'requires_confirmation' and p.source = 'balance'
        then p.amount + ${payerFees} else 0 end`,
  },
  {
    name: '5.held_by_withdrawals',
    clause: 'a withdrawal holds its amount until it has ended',
    sql: `select tenant_id, 'withdrawal' as kind, id, format('%s holds %s of %s', status, held_cents,
        amount) as message
      from withdrawals where held_cents <> case
        when status in ('requires_confirmation', 'processing') then amount else 0 end`,
  },
  {
    name: '5.held_by_refunds',
    clause: 'a refund in processing holds its amount; one that waits or has ended holds nothing',
    sql: `select tenant_id, 'refund' as kind, id, format('%s holds %s of %s', status, held_cents,
        amount) as message
      from refunds where not case status when 'requested' then held_cents in (0, amount)
        when 'processing' then held_cents = amount else held_cents = 0 end`,
  },
  {
    name: '5.pending_outgoing',
    clause: 'pending_outgoing is the sum of what payments and withdrawals hold',
    sql: `select b.tenant_id, 'account' as kind, b.account_id as id,
        format('pending_outgoing %s, held %s', b.pending_outgoing, coalesce(h.held, 0)) as message
      from balances b left join (select tenant_id, payer_account_id as account_id,
        sum(held_cents) as held
        from (select tenant_id, payer_account_id, held_cents from payments where held_cents <> 0
          union all select tenant_id, account_id, held_cents from withdrawals
            where held_cents <> 0) holding
        group by tenant_id, payer_account_id) h using (tenant_id, account_id)
      where b.pending_outgoing <> coalesce(h.held, 0)`,
  },
  {
    name: '5.earmarked',
    clause: 'earmarked is the sum of what refunds and disputes hold',
    sql: `select b.tenant_id, 'account' as kind, b.account_id as id,
        format('earmarked %s, held %s', b.earmarked, coalesce(h.held, 0)) as message
      from balances b left join (select tenant_id, merchant_account_id as account_id,
        sum(held_cents) as held
        from (select tenant_id, merchant_account_id, held_cents from refunds where held_cents <> 0
          union all select tenant_id, merchant_account_id, held_cents from disputes
            where held_cents <> 0) holding
        group by tenant_id, merchant_account_id) h using (tenant_id, account_id)
      where b.earmarked <> coalesce(h.held, 0)`,
  },
];
