import type { RecipeName } from '@tenant-payments/contract/recipes.ts';
import type { Check } from '../check.ts';

const sumOf = (...steps: readonly RecipeName[]): string =>
  `coalesce(sum(delta) filter (where step in (${steps.map((step) => `'${step}'`).join(', ')}) and delta > 0), 0)`;

/** The sums of the entries of an amount in suspense, by its id. */
const posted = `select tenant_id, source_id as id,
    ${sumOf('suspense_received', 'suspense_kept', 'unordered_received')} as received, ${sumOf('suspense_matched')} as matched,
    ${sumOf('suspense_returned', 'suspense_return_ordered')} as returned
  from entries where step in ('suspense_received', 'suspense_kept', 'unordered_received', 'suspense_matched',
    'suspense_returned', 'suspense_return_ordered')
  group by tenant_id, source_id`;

/** Money at the bank without an owner yet (rules/review#18). */
export const suspenseChecks: readonly Check[] = [
  {
    name: '1.received',
    clause:
      'money without an order of its own is in suspense by one payment that the bank has told, with its amount, and what names an own order that has ended is booked',
    sql: `select s.tenant_id, 'adjustment' as kind, s.id, format('%s of %s, the bank told %s', s.reason, s.amount,
        coalesce(r.amount::text, 'none')) as message
      from suspense s left join received_money r on r.tenant_id = s.tenant_id and r.id = s.source_id
      where s.reason in ('paid_twice', 'unsolicited') and (r.amount is distinct from s.amount
        or not exists (select from entries e where e.tenant_id = s.tenant_id and e.source_id = s.id
          and e.step = 'unordered_received'))
      union all
      select r.tenant_id, 'payment of the bank', r.id, format('%s of nobody is not in suspense', r.amount)
      from received_money r where r.order_id is null and not exists (select from suspense s
        where s.tenant_id = r.tenant_id and s.source_id = r.id)
      union all
      select i.tenant_id, 'instruction', i.id, format('%s payments of %s name it, %s are in suspense, %s booked as its own',
        r.told, r.amount, h.held, b.own)
      from instructions i
      join lateral (select amount, count(*) as told, array_agg(id) as ids from received_money
        where tenant_id = i.tenant_id and order_id = i.id group by amount) r on true
      left join lateral (select count(*) as held from suspense where tenant_id = i.tenant_id and amount = r.amount
        and reason <> 'undeliverable' and (source_id = i.source_id or source_id = any (r.ids))) h on true
      left join lateral (select case when count(*) filter (where outcome = 'settled') = 0 and i.answer = 'settled'
            and i.purpose = 'reserve_top_up' and i.amount = r.amount then 1 else 0 end
          + count(*) filter (where amount = r.amount and (outcome = 'returned' or i.purpose = 'reserve_top_up')) as own
        from bank_messages where tenant_id = i.tenant_id and source_id = i.source_id and booked_at is not null) b on true
      where i.source_type = 'adjustment' and i.answer is not null and r.told > h.held + b.own`,
  },
  {
    name: '1.suspense',
    clause: 'each amount in suspense was received once, and left it once as its status says',
    sql: `select tenant_id, 'adjustment' as kind, id, format('%s, %s: %s received, %s matched, %s returned',
        coalesce(s.status, 'none'), s.amount, p.received, p.matched, p.returned) as message
      from (select tenant_id, id, status, amount, resolved_at from suspense) s
      full join (${posted}) p using (tenant_id, id)
      where s.status is null or p.received is distinct from s.amount
        or p.matched <> case s.status when 'matched' then s.amount else 0 end
        or p.returned <> case s.status when 'returned' then s.amount else 0 end
        or (s.status = 'held') <> (s.resolved_at is null)`,
  },
  {
    name: '3.suspense',
    clause: 'the suspense account is the sum of the amounts held there',
    sql: `select tenant_id, 'tenant' as kind, tenant_id as id,
        format('booked %s, held %s', coalesce(b.booked, 0), coalesce(s.held, 0)) as message
      from (select tenant_id, sum(delta) as booked from entries
        where account_id is null and pocket = 'suspense' group by tenant_id) b
      full join (select tenant_id, sum(amount) as held from suspense where status = 'held'
        group by tenant_id) s using (tenant_id)
      where coalesce(b.booked, 0) <> coalesce(s.held, 0)`,
  },
];
