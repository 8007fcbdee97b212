import type { Check } from './check.ts';

/** Digital Accounts, their customers and links (decisions 2.3, number 10). */
export const accountsChecks: readonly Check[] = [
  {
    name: '10.closed',
    clause: 'a closed account holds nothing and moves nothing after closed_at',
    sql: `select a.tenant_id, 'account' as kind, a.id,
        format('%s, closed %s, ledger %s, last entry %s', a.status, a.closed_at,
          b.available + b.pending_outgoing + b.earmarked, e.last) as message
      from accounts a join balances b on b.tenant_id = a.tenant_id and b.account_id = a.id
      left join lateral (select max(created_at) as last from entries e
        where e.tenant_id = a.tenant_id and e.account_id = a.id and a.closed_at is not null) e on true
      where (a.status = 'closed') <> (a.closed_at is not null)
        or (a.status = 'closed' and (b.available + b.pending_outgoing + b.earmarked <> 0
          or e.last > a.closed_at))`,
  },
  {
    name: '10.closed_records',
    clause: 'no payment or load of a closed account is open',
    sql: `select r.tenant_id, r.kind, r.id, format('%s on a closed account', r.status) as message
      from (select tenant_id, 'payment' as kind, id, payer_account_id as account_id, status
          from payments where status in ('requires_confirmation', 'processing')
        union all select tenant_id, 'load', id, account_id, status
          from loads where status in ('requires_confirmation', 'processing')) r
      join accounts a on a.tenant_id = r.tenant_id and a.id = r.account_id
      where a.status = 'closed'`,
  },
  {
    name: '10.suspended',
    clause: 'a suspended account keeps its reason, an active or dormant one has none',
    sql: `select tenant_id, 'account' as kind, id,
        format('%s with the reasons "%s"', status, suspension_reasons) as message
      from accounts where (status = 'suspended' and suspension_reasons = '')
        or (status in ('active', 'dormant') and suspension_reasons <> '')`,
  },
  {
    name: '10.waiting_claims',
    clause: 'waiting_claims counts the refunds in pending_funds; there are none yet',
    sql: `select tenant_id, 'account' as kind, id, format('%s claims wait', waiting_claims) as message
      from accounts where waiting_claims <> 0`,
  },
  {
    name: '10.one_link',
    clause: 'a customer has one active link at most',
    sql: `select tenant_id, 'customer' as kind, customer_id as id,
        format('%s active links', count(*)) as message
      from linked_accounts where status in ('pending', 'held_for_review', 'verified')
      group by tenant_id, customer_id having count(*) > 1`,
  },
  {
    name: '10.holder',
    clause: 'an approved customer has an account, of the type that fits',
    sql: `select c.tenant_id, 'customer' as kind, c.id,
        format('%s %s, account %s', c.status, c.type, coalesce(a.type, 'none')) as message
      from customers c left join accounts a on a.tenant_id = c.tenant_id and a.id = c.account_id
      where (c.status = 'approved' and a.id is null)
        or a.type <> case c.type when 'business' then 'merchant' else 'consumer' end`,
  },
];
