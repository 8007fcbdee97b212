import type { Check } from '../check.ts';

/** All records that are still open of an account (rules/closing#6). */
const openRecords = `(select tenant_id, 'payment' as kind, id, payer_account_id as account_id, status
          from payments where status in ('requires_confirmation', 'processing')
        union all select tenant_id, 'load', id, account_id, status
          from loads where status in ('requires_confirmation', 'processing')
        union all select tenant_id, 'payment', id, payee_account_id, status
          from payments where status = 'processing'
        union all select tenant_id, 'withdrawal', id, account_id, status
          from withdrawals where status in ('requires_confirmation', 'processing')
        union all select tenant_id, 'refund', id, merchant_account_id, status
          from refunds where status not in ('completed', 'failed'))`;

const verified = `('linked_account.verified', 'linked_account.updated')`;

/**
 * The states of each link with their times, from its events. All states of one instant count, since
 * a withdrawal of that instant may have read any of them. Events without text are left out.
 */
const linkStates = `(select tenant_id, object_id as id, type, created_at as since,
    coalesce(lead(created_at) over (partition by tenant_id, object_id order by version), 'infinity')
      as until,
    coalesce((record -> 'capabilities' ->> 'withdrawal')::boolean, true) as can_withdraw,
    record ->> 'withdrawal_hold_until' is not null as is_held
  from (select e.tenant_id, e.object_id, e.type, e.created_at, e.version,
      nullif(event_text(e.id, e.object_id, e.created_at, e.body), '')::json -> 'data' -> 'object' as record
    from events e where e.object_type = 'linked_account' and not e.sample) shown)`;

/** Digital Accounts, their customers and links (rules/invariants#10). */
export const accountsChecks: readonly Check[] = [
  {
    name: '10.closed',
    clause: 'a closed account holds nothing and moves nothing after closed_at',
    sql: `select a.tenant_id, 'account' as kind, a.id,
        format('%s, closed %s, ledger %s, last entry %s', a.status, a.closed_at,
          b.available + b.pending_outgoing + b.earmarked, e.last) as message
      from accounts a join balances b on b.tenant_id = a.tenant_id and b.account_id = a.id
      left join lateral (select max(at) as last from (select tenant_id, account_id, coalesce(posted_at, created_at) as at from entries) e
        where e.tenant_id = a.tenant_id and e.account_id = a.id and a.closed_at is not null) e on true
      where (a.status = 'closed') <> (a.closed_at is not null)
        or (a.status = 'closed' and (b.available + b.pending_outgoing + b.earmarked <> 0
          or e.last > a.closed_at))`,
  },
  {
    name: '10.closed_records',
    clause: 'a closed account has no open record',
    sql: `select r.tenant_id, r.kind, r.id, format('%s on a closed account', r.status) as message
      from ${openRecords} r
      join accounts a on a.tenant_id = r.tenant_id and a.id = r.account_id
      where a.status = 'closed'`,
  },
  {
    name: '10.closing_due',
    clause: 'a closing account that waits for nothing has the job of its next step',
    sql: `select a.tenant_id, 'account' as kind, a.id,
        format('closing with %s, and nothing leads on', b.available) as message
      from accounts a join balances b on b.tenant_id = a.tenant_id and b.account_id = a.id
      where a.status = 'closing' and not a.legal_hold and a.suspension_reasons = ''
        and not exists (select from jobs d where d.tenant_id = a.tenant_id
          and d.name = 'account_closing' and d.ref = a.id)
        and not exists (select from ${openRecords} r
          where r.tenant_id = a.tenant_id and r.account_id = a.id)
        and not exists (select from disputes d where d.tenant_id = a.tenant_id
          and d.account_id = a.id and d.status <> 'closed')
        and not exists (select from disputes d where d.tenant_id = a.tenant_id
          and d.merchant_account_id = a.id
          and d.status in ('received', 'investigating', 'provisional_credit'))
        and (b.available = 0 or exists (select from linked_accounts l
          where l.tenant_id = a.tenant_id and l.customer_id = a.customer_id
            and l.status = 'verified' and l.can_withdraw and l.withdrawal_hold_until is null))`,
  },
  {
    name: '10.suspended',
    clause: 'a suspended account has a reason, an active or dormant one has none',
    sql: `select tenant_id, 'account' as kind, id,
        format('%s with the reasons "%s"', status, suspension_reasons) as message
      from accounts where (status = 'suspended' and suspension_reasons = '')
        or (status in ('active', 'dormant') and suspension_reasons <> '')`,
  },
  {
    name: '10.waiting_claims',
    clause: 'waiting_claims counts the refunds in pending_funds',
    sql: `select a.tenant_id, 'account' as kind, a.id,
        format('%s claims wait, refunds %s', a.waiting_claims, coalesce(r.waiting, 0)) as message
      from accounts a left join (select tenant_id, merchant_account_id, count(*) as waiting
        from refunds where status = 'pending_funds' group by tenant_id, merchant_account_id) r
        on r.tenant_id = a.tenant_id and r.merchant_account_id = a.id
      where a.waiting_claims <> coalesce(r.waiting, 0)`,
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
    clause: 'an approved customer has an account of its type',
    sql: `select c.tenant_id, 'customer' as kind, c.id,
        format('%s %s, account %s', c.status, c.type, coalesce(a.type, 'none')) as message
      from customers c left join accounts a on a.tenant_id = c.tenant_id and a.id = c.account_id
      where (c.status = 'approved' and a.id is null)
        or a.type <> case c.type when 'business' then 'merchant' else 'consumer' end`,
  },
  {
    name: '10.restricted',
    clause:
      'nothing waits for the customer of a suspended or closing account, or the job that ends it exists',
    sql: `select r.tenant_id, r.kind, r.id, format('%s on an account that is %s', r.status, a.status)
        as message
      from ${openRecords} r join accounts a on a.tenant_id = r.tenant_id and a.id = r.account_id
      where a.status in ('suspended', 'closing') and r.status in ('requires_confirmation', 'requested')
        and not exists (select from jobs d where d.tenant_id = a.tenant_id
          and d.name = 'account_restricted' and d.ref = a.id)`,
  },
  {
    name: '10.payable',
    clause:
      'withdrawals went to a link of the customer that was verified, capable and past its hold',
    sql: `select w.tenant_id, 'withdrawal' as kind, w.id,
        format('made %s, confirmed %s, and %s did not take it', w.created_at, w.confirmed_at,
          w.linked_account_id) as message
      from withdrawals w
      left join linked_accounts l on l.tenant_id = w.tenant_id and l.id = w.linked_account_id
        and l.customer_id = w.customer_id
      left join ${linkStates} s on s.tenant_id = l.tenant_id and s.id = l.id
      group by w.tenant_id, w.id, w.created_at, w.confirmed_at, w.linked_account_id
      having not coalesce(bool_or(s.type in ${verified}
          and s.can_withdraw and not s.is_held
          and w.created_at between s.since and s.until), false)
        or (w.confirmed_at is not null and not coalesce(bool_or(s.type <> 'linked_account.failed'
          and w.confirmed_at between s.since and s.until), false))`,
  },
];
