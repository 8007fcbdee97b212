import {
  type RecipeName,
  type TenantAccount,
  tenantAccounts,
} from '@tenant-payments/contract/recipes.ts';
import { settingText } from '@tenant-payments/engine/settings.ts';
import type { Check } from '../check.ts';

/** The effect of records on tenant accounts: cents as SQL on a row `r`; money at the bank is above zero. */
interface Flow {
  readonly from: string;
  readonly where: string;
  readonly into: Readonly<Partial<Record<TenantAccount, string>>>;
}

/** Whether a record's source has posted a step. */
const hasPosted = (step: RecipeName, id = 'r.id'): string =>
  `exists (select from entries x where x.tenant_id = r.tenant_id and x.source_id = ${id} and x.step = '${step}')`;

const wasSent = `r.credit_route in ('sent', 'arrived', 'suspense')`;
const wasPostedAtOnce = hasPosted('dispute_credit_sent');

/** A table of adjustments with how the bank answered the order of each; `order_id` is null where it has none. */
const withOrder = (table: string, columns: string): string =>
  `(select f.tenant_id, f.id, ${columns}, i.id as order_id, i.answer from ${table} f
    left join instructions i on i.tenant_id = f.tenant_id and i.source_type = 'adjustment' and i.source_id = f.id)`;

const cents = (when: string, amount = 'r.amount'): string =>
  `case when ${when} then ${amount} else 0 end`;
const swept = 'r.platform_fees + r.tenant_fees';
const isSwept = `r.answer is distinct from 'failed'`;
const isPaidBack = `(r.status = 'returned' and (r.order_id is null or r.answer is not distinct from 'settled'))`;
const wasKept = hasPosted('suspense_kept');

/**
 * Every way by which money of tenant accounts comes and goes. Movements without a record, such as a
 * reviewer's adjustments and the funding of the reserve, are read from their other entry.
 */
const flows: readonly Flow[] = [
  { from: 'loads', where: `r.status = 'settled'`, into: { cash: 'r.amount' } },
  {
    from: 'payments',
    where: `r.status in ('completed', 'partially_refunded', 'refunded')`,
    into: {
      cash: `case r.source when 'bank_account' then r.amount else 0 end`,
      fees_platform: 'r.platform_fee',
      fees_tenant: 'r.tenant_fee',
    },
  },
  { from: 'withdrawals', where: `r.status = 'settled'`, into: { cash: '-r.amount' } },
  {
    from: 'refunds',
    where: `r.status = 'completed' and r.destination = 'bank_account'`,
    into: { cash: '-r.amount' },
  },
  {
    from: 'disputes',
    where: 'r.credited_cents > 0 or r.recovered_cents > 0',
    into: {
      cash: cents(
        `${wasSent} and (r.credit_route = 'arrived' or ${wasPostedAtOnce})`,
        '-r.credited_cents',
      ),
      return_in_transit: cents(
        `${wasSent} and r.credit_route <> 'arrived' and not ${wasPostedAtOnce}`,
        'r.credited_cents',
      ),
      reserve: 'r.recovered_cents + r.taken_back_cents - r.credited_cents',
    },
  },
  {
    from: withOrder('suspense', 'f.amount, f.status'),
    where: 'true',
    into: {
      cash: `${cents(`not ${wasKept}`)} - ${cents(isPaidBack)}`,
      suspense: cents(`r.status = 'held'`),
      return_in_transit: `${cents(`r.status = 'returned' and not ${isPaidBack}`)} - ${cents(wasKept)}`,
    },
  },
  {
    from: withOrder('fee_sweeps', 'f.platform_fees, f.tenant_fees'),
    where: isSwept,
    into: {
      cash: cents(`r.order_id is null or r.answer = 'settled'`, `-(${swept})`),
      sweep_in_transit: cents('r.order_id is not null and r.answer is null', swept),
      fees_platform: '-r.platform_fees',
      fees_tenant: '-r.tenant_fees',
    },
  },
  {
    from: 'instructions',
    where: `r.purpose = 'reserve_top_up' and r.answer is distinct from 'failed'`,
    into: {
      cash: cents(`r.answer = 'settled'`),
      top_up_in_transit: cents('r.answer is null', '-r.amount'),
      reserve: 'r.amount',
    },
  },
  {
    // Money that no bank takes stands in suspense, which is the flow above.
    from: `(select f.tenant_id, f.amount, f.answer from instructions f join return_requests q
      on q.tenant_id = f.tenant_id and q.id = f.source_id where f.source_type = 'adjustment')`,
    where: 'true',
    into: {
      cash: cents(`r.answer = 'settled'`, '-r.amount'),
      return_in_transit: cents(`r.answer is distinct from 'settled'`),
    },
  },
  {
    // A message that a reviewer has booked moves what its record has not (1.booked_messages).
    from: 'entries',
    where: `r.step in ('reserve_funded', 'sent_after_failure', 'received_after_failure', 'adjusted', 'adjusted_back')`,
    into: {
      cash: `case when r.pocket = 'reserve' and r.step not in ('adjusted', 'adjusted_back') then r.delta else 0 end`,
      reserve: `case r.pocket when 'reserve' then 0 else -r.delta end`,
    },
  },
];

const summed = (of: (account: TenantAccount) => string) =>
  tenantAccounts.map((account) => `coalesce(sum(${of(account)}), 0) as ${account}`).join(', ');

/** The amount that each tenant account should hold. */
const expected = flows
  .map(
    ({ from, where, into }) =>
      `select r.tenant_id, ${summed((account) => into[account] ?? '0')} from ${from} r where ${where}
        group by r.tenant_id`,
  )
  .join('\nunion all ');

/** The same as it was posted, with the opposite sign. */
const posted = `select tenant_id, ${summed(
  (account) =>
    `case pocket when '${account}' then ${account === 'cash' ? 'delta' : '-delta'} else 0 end`,
)} from entries where account_id is null group by tenant_id`;

/** By tenant and account, the difference between records and postings. */
const beyond = `(select tenant_id, ${summed((account) => account)} from (${expected}
  union all ${posted}) movements group by tenant_id)`;

/** The customers' part of the money at the bank. */
const leftOver = tenantAccounts
  .map((account) => (account === 'cash' ? 'cash' : `- ${account}`))
  .join(' ');

const ordering = `('load', 'payment', 'withdrawal', 'refund', 'dispute')`;

/** Tenant accounts against what came and went at the bank (rules/invariants#3). */
export const conservationChecks: readonly Check[] = [
  {
    name: '3.books',
    clause: 'each tenant account holds what the records say was posted to it',
    sql: `select tenant_id, 'tenant' as kind, tenant_id as id,
        format('%s holds %s less than its records say', account, missing) as message
      from ${beyond} b
      cross join lateral (values ${tenantAccounts.map((account) => `('${account}', ${account})`).join(', ')})
        pocket(account, missing)
      where missing <> 0`,
  },
  {
    name: '3.customers',
    clause:
      'customers have what came from the bank, less what went there and what tenant accounts hold',
    sql: `select tenant_id, 'tenant' as kind, tenant_id as id,
        format('customers have %s of %s', coalesce(held, 0), coalesce(left_over, 0)) as message
      from (select tenant_id, sum(${leftOver}) as left_over
        from (${expected}) movements group by tenant_id) t
      full join (select tenant_id, sum(available + pending_outgoing + earmarked) as held
        from balances group by tenant_id) b using (tenant_id)
      where coalesce(held, 0) <> coalesce(left_over, 0)`,
  },
  {
    name: '3.pool_bank',
    clause: 'the pooled account holds what the records of all its tenants say, and no more',
    sql: `select min(t.tenant_id::text) as tenant_id, 'pool' as kind, 'bank' as id,
        format('pool:bank holds %s less than its tenants say', sum(b.cash)) as message
      from tenants t join ${beyond} b on b.tenant_id = t.tenant_id
      where ${settingText('t', 'account_structure')} = 'tenant_scheme'
      having sum(b.cash) <> 0`,
  },
  {
    name: '3.orders',
    clause: 'money moved at the bank by an existing order, with its amount and direction',
    sql: `select e.tenant_id, e.source_type as kind, e.source_id as id,
        format('%s moved %s, ordered %s (%s)', e.step, -e.delta, i.amount,
          coalesce(i.status, 'by nobody')) as message
      from entries e left join instructions i on i.tenant_id = e.tenant_id
        and i.source_type = e.source_type::text and i.source_id = e.source_id
      where e.account_id is null and e.pocket = 'cash' and e.source_type in ${ordering}
        and (i.id is null or i.status = 'withdrawn' or e.delta
          <> case i.kind when 'request_for_payment' then -i.amount else i.amount end)
        and not exists (select from disputes d where d.tenant_id = e.tenant_id
          and d.id = e.source_id and d.credit_link_id is null)
      union all
      select s.tenant_id, 'adjustment', s.id,
        format('%s in suspense, ordered %s', s.reason, coalesce(i.kind, 'by nobody'))
      from suspense s left join bank_messages m on m.tenant_id = s.tenant_id and m.id = s.source_id
      left join instructions i on i.tenant_id = s.tenant_id
        and i.source_type = coalesce(m.source_type, s.source_type) and i.source_id = coalesce(m.source_id, s.source_id)
      where s.reason not in ('undeliverable', 'paid_twice', 'unsolicited') and i.kind is distinct from
        case s.reason when 'returned' then 'credit_transfer' else 'request_for_payment' end`,
  },
];
