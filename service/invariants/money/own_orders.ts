import { type RecipeName, recipeOf, recipes } from '@tenant-payments/contract/recipes.ts';
import type { Check } from '../check.ts';

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** The postings of the order of each purpose: when it is ordered, settled and refused. */
const steps = [
  [
    'fee_sweep',
    'fee_sweep_ordered',
    'sweep_in_transit',
    1,
    'fee_sweep_settled',
    'fee_sweep_failed',
  ],
  ['reserve_top_up', 'top_up_ordered', 'top_up_in_transit', -1, 'top_up_settled', 'top_up_failed'],
  ...(['suspense_return', 'return_of_funds'] as const).map(
    (purpose) =>
      [
        purpose,
        'suspense_return_ordered',
        'return_in_transit',
        1,
        'suspense_return_settled',
        null,
      ] as const,
  ),
] as const;
const stepRows = steps
  .map(
    ([purpose, ordered, transit, sign, settled, undone]) =>
      `('${purpose}', '${ordered}', '${transit}', ${sign}, '${settled}', ${undone ? `'${undone}'` : 'null'})`,
  )
  .join(', ');

const settledSteps = [...new Set(steps.map(([, , , , settled]) => settled))];
/** The same of every transfer, also of a customer's record. */
const transferSteps: readonly RecipeName[] = [
  'withdrawal_settled',
  'refund_completed_bank',
  'dispute_credit_settled',
  ...settledSteps,
];
/** 1.0 posted a dispute's credit when it was sent; it has moved unless its bank refused it. */
const sentByEarlier = `(step = 'dispute_credit_sent' and not exists (select from suspense s
  where s.tenant_id = m.tenant_id and s.source_id = m.source_id and s.reason = 'undeliverable'))`;
const retired = (Object.keys(recipes) as RecipeName[]).filter((name) => recipeOf(name).retired);

const posted = (step: string, pocket: string): string =>
  `coalesce(sum(delta) filter (where step::text in (${step}) and pocket::text = ${pocket}), 0)`;

/** Orders of the platform itself, which no record of a customer stands behind (rules/bank-orders#7). */
export const ownOrderChecks: readonly Check[] = [
  {
    name: '1.booked_messages',
    clause:
      'a message that a reviewer has booked moved what it says, with its record, once for its order and each payment of it',
    sql: `select m.tenant_id, 'bank_message' as kind, m.id, format('%s of %s booked, %s moved, booked as %s, %s of %s payments in suspense',
        m.outcome, m.amount, e.moved, o.booked, p.held, p.told) as message
      from bank_messages m
      left join instructions i on i.tenant_id = m.tenant_id and i.source_type = m.source_type
        and i.source_id = m.source_id
      left join lateral (select m.outcome = 'returned' or i.purpose is not distinct from 'reserve_top_up' as came) d on true
      left join lateral (select coalesce(sum(case when d.came then -delta else delta end), 0) as moved from entries
        where tenant_id = m.tenant_id and pocket = 'cash'
          and ((source_id = m.id and step in ('sent_after_failure', 'received_after_failure'))
            or (source_id = m.source_id and m.outcome = 'settled' and (step in (${quoted(transferSteps)})
              or ${sentByEarlier})))) e on true
      left join lateral (select count(*) as booked from bank_messages where tenant_id = m.tenant_id
        and source_id = m.source_id and outcome = m.outcome and booked_at is not null) o on true
      left join lateral (select count(*) as told,
          (select count(*) from suspense s where s.tenant_id = m.tenant_id and s.amount = m.amount
            and s.reason <> 'undeliverable' and (s.source_id = m.source_id or s.source_id = any (array_agg(r.id)))) as held
        from received_money r where r.tenant_id = m.tenant_id and r.order_id = i.id and r.amount = m.amount) p on true
      left join lateral (select coalesce(sum(s.amount), 0) as rest from suspense s where s.tenant_id = m.tenant_id
        and s.id = m.suspense_id and s.source_id = m.id and s.reason = 'returned' and m.outcome = 'settled') b on true
      where m.booked_at is not null and (e.moved - b.rest <> m.amount or o.booked <> 1 or m.status <> 'closed'
        or (d.came and p.held + 1 > greatest(p.told, 1)))`,
  },
  {
    name: '1.return_requests',
    clause:
      'a request to give money back has moved what was accepted by one order, and else nothing',
    sql: `select r.tenant_id, 'return_request' as kind, r.id, format('%s, %s accepted: %s taken, ordered %s', r.status,
        coalesce(r.accepted_amount, 0), e.taken, coalesce(i.amount::text, 'nothing')) as message
      from return_requests r
      left join instructions i on i.tenant_id = r.tenant_id and i.source_type = 'adjustment' and i.source_id = r.id
      left join lateral (select coalesce(-sum(delta), 0) as taken from entries
        where tenant_id = r.tenant_id and source_id = r.id and step = 'recall_ordered' and pocket = 'available') e on true
      where e.taken <> coalesce(i.amount, 0)
        or (i.id is not null and i.amount is distinct from r.accepted_amount)
        or (r.status = 'accepted' and i.id is null and not exists (select from suspense s
          where s.tenant_id = r.tenant_id and s.source_id in (r.payment_id, r.source_id)
            and s.status = 'returned' and s.amount = r.accepted_amount))`,
  },
  {
    name: '1.own_orders',
    clause: 'an own order posts what it orders, and after the answer what the bank has said',
    sql: `select i.tenant_id, 'instruction' as kind, i.id, format('%s of %s, %s: %s in transit, %s paid, %s put back',
        i.purpose, i.amount, coalesce(i.answer, 'unanswered'), e.in_transit, e.paid, e.put_back) as message
      from instructions i
      left join (values ${stepRows}) o(purpose, ordered, transit, sign, settled, undone) on o.purpose = i.purpose
      left join lateral (select ${posted(`o.ordered, case o.purpose when 'return_of_funds' then 'recall_ordered' end`, 'o.transit')} as in_transit,
          ${posted('o.settled', `'cash'`)} as paid, ${posted('o.undone', 'o.transit')} as put_back
        from entries where tenant_id = i.tenant_id and source_id = i.source_id) e on true
      where i.source_type = 'adjustment' and (o.purpose is null or e.in_transit <> o.sign * i.amount
        or e.paid <> case i.answer when 'settled' then o.sign * i.amount else 0 end
        or case when i.answer is distinct from 'failed' then e.put_back <> 0
          when o.undone is not null then e.put_back <> -o.sign * i.amount
          else not exists (select from suspense s where s.tenant_id = i.tenant_id and s.source_id = i.source_id
            and s.reason = 'undeliverable' and s.amount = i.amount) end)`,
  },
  {
    name: '3.bank_facts',
    clause: 'what was moved at the bank without a record of a customer has an order and its answer',
    sql: `select e.tenant_id, 'adjustment' as kind, e.source_id as id, format('%s moved %s of %s, ordered %s (%s)',
        e.step, e.delta, e.pocket, coalesce(i.amount::text, 'by nobody'), coalesce(i.answer, 'unanswered')) as message
      from entries e
      left join instructions i on i.tenant_id = e.tenant_id and i.source_type = 'adjustment'
        and i.source_id = e.source_id
      left join suspense s on s.tenant_id = e.tenant_id and s.id = e.source_id
      left join bank_messages m on m.tenant_id = e.tenant_id and m.id = e.source_id
      where e.source_type = 'adjustment' and e.account_id is null and e.pocket in ('cash', ${quoted(
        [...new Set(steps.map(([, , transit]) => transit))],
      )})
        and not coalesce(case
          when e.step in ('suspense_received', 'suspense_kept', 'unordered_received') then s.amount = abs(e.delta)
          when e.step in ('sent_after_failure', 'received_after_failure') then m.booked_at is not null
          when e.step in (${quoted(retired)}) then i.id is null
          when e.step in (${quoted(settledSteps)}) then i.answer = 'settled' and i.amount = abs(e.delta)
          else e.pocket <> 'cash' and i.amount = abs(e.delta) end, false)`,
  },
];
