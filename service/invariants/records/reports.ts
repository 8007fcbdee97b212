import { sweepSteps } from '@tenant-payments/contract/own_recipes.ts';
import type { Check } from '../check.ts';

const posted = 'coalesce(posted_at, created_at)';
const zone = `'America/New_York'`;
/** The Eastern Time day of an instant. */
const dayOf = (instant: string) => `(${instant} at time zone ${zone})::date`;
const isFee = `pocket in ('fees_platform', 'fees_tenant')`;
const isSweep = `step in (${sweepSteps.map((step) => `'${step}'`).join(', ')})`;
const isByBank = (step: string) =>
  `step = '${step}' and transaction_type in ('payment_received', 'refund_sent')`;
const sumOf = (value: string, when: string) => `coalesce(sum(${value}) filter (where ${when}), 0)`;

/** Each total of a report, and the postings of its day that it sums. */
const totals: Readonly<Record<string, string>> = {
  loads: sumOf('amount', `transaction_type = 'load'`),
  payments_balance: sumOf('amount', isByBank('payment_completed')),
  payments_bank: sumOf('amount', isByBank('pay_by_bank_completed')),
  withdrawals: sumOf('amount', `transaction_type = 'withdrawal'`),
  refunds_balance: sumOf('amount', isByBank('refund_completed_balance')),
  refunds_bank: sumOf('amount', isByBank('refund_completed_bank')),
  fees: sumOf('delta', `${isFee} and not ${isSweep}`),
  adjustments: sumOf(
    'delta',
    `transaction_type in ('dispute_credit', 'dispute_reversal', 'adjustment')`,
  ),
  fee_clearing_swept: sumOf('-delta', `${isFee} and ${isSweep}`),
  postings_count: `count(*) filter (where transaction_type is not null or ${isFee})`,
};

const days = `(select tenant_id, ${dayOf(posted)} as day,
    ${sumOf('delta', 'transaction_type is not null')} as change,
    ${Object.entries(totals)
      .map(([name, sql]) => `${sql} as ${name}`)
      .join(',\n    ')}
  from entries group by tenant_id, ${dayOf(posted)})`;

const message = (text: string, ...values: string[]) =>
  `format('${text}', ${values.join(', ')}) as message`;

const reports: readonly Check[] = [
  {
    name: '15.identity',
    clause:
      'closing = opening + loads + payments_bank - withdrawals - refunds_bank - fees + adjustments',
    sql: `select tenant_id, 'report' as kind, id,
        ${message('%s: closing %s does not follow from %s', 'day', 'closing_balance', 'opening_balance')}
      from reconciliation_reports where closing_balance <> opening_balance + loads + payments_bank
        - withdrawals - refunds_bank - fees + adjustments`,
  },
  {
    name: '15.days',
    clause:
      "each day from the tenant's first has a report, and its opening is the closing before it",
    sql: `select tenant_id, 'report' as kind, id,
        ${message('%s after %s: opens with %s instead of %s', 'day', 'before', 'opening_balance', 'balance')}
      from (select r.tenant_id, r.id, r.day, r.opening_balance,
          lag(r.day) over w as before, coalesce(lag(r.closing_balance) over w, 0) as balance,
          coalesce(lag(r.day) over w + 1, ${dayOf('t.created_at')}) as expected
        from reconciliation_reports r join tenants t on t.tenant_id = r.tenant_id
        window w as (partition by r.tenant_id order by r.day)) r
      where day <> expected or opening_balance <> balance`,
  },
  {
    name: '15.closing',
    clause: 'the closing of a report is the sum of ledgers at midnight, Eastern Time',
    sql: `select tenant_id, 'report' as kind, id,
        ${message('%s: closing %s, ledgers %s', 'day', 'closing_balance', 'ledgers')}
      from (select tenant_id, day, r.id, r.closing_balance, coalesce(sum(d.change)
          over (partition by tenant_id order by day), 0) as ledgers
        from reconciliation_reports r full join ${days} d using (tenant_id, day)) r
      where id is not null and closing_balance <> ledgers`,
  },
  {
    name: '15.totals',
    clause: 'the postings of a day add up to its report',
    sql: `select tenant_id, 'report' as kind, r.id,
        ${message('%s: the postings do not add up', 'day')}
      from reconciliation_reports r left join ${days} d using (tenant_id, day)
      where ${Object.keys(totals)
        .map((name) => `r.${name} <> coalesce(d.${name}, 0)`)
        .join(' or ')}`,
  },
];

const statements: readonly Check[] = [
  {
    name: '15.periods',
    clause:
      'the first statement begins when its account opened, each next on the day after the last; its opening is the closing before it',
    sql: `select tenant_id, 'statement' as kind, id,
        ${message('from %s instead of %s, opens with %s instead of %s', 'period_start', 'expected', 'opening_balance', 'balance')}
      from (select s.tenant_id, s.id, s.period_start, s.period_end, s.opening_balance,
          coalesce(lag(s.closing_balance) over w, 0) as balance,
          coalesce(lag(s.period_end) over w + 1, ${dayOf('a.opened_at')}) as expected
        from statements s left join accounts a on a.tenant_id = s.tenant_id and a.id = s.account_id
        window w as (partition by s.tenant_id, s.account_id order by s.period_start)) s
      where period_start is distinct from expected or opening_balance <> balance
        or date_trunc('month', period_start) <> date_trunc('month', period_end)`,
  },
  {
    name: '15.statement_closing',
    clause: 'the closing of a statement is the ledger at the end of its period',
    sql: `select tenant_id, 'statement' as kind, id,
        ${message('until %s: closing %s, ledger %s', 'day', 'closing_balance', 'ledger')}
      from (select tenant_id, account_id, day, s.id, s.closing_balance, coalesce(sum(d.change)
          over (partition by tenant_id, account_id order by day), 0) as ledger
        from (select tenant_id, account_id, period_end as day, id, closing_balance from statements) s
        full join (select tenant_id, account_id, ${dayOf(posted)} as day, sum(delta) as change
          from entries where transaction_type is not null group by 1, 2, 3) d
          using (tenant_id, account_id, day)) s
      where id is not null and closing_balance <> ledger`,
  },
  {
    name: '15.position',
    clause: 'the next statement of an account begins where the last one ended',
    sql: `select tenant_id, 'account' as kind, account_id as id,
        ${message('until %s with %s, last statement until %s', 'covered_until', 'p.balance', 's.period_end')}
      from statement_positions p full join (select distinct on (tenant_id, account_id) tenant_id,
          account_id, period_end, closing_balance from statements
        order by tenant_id, account_id, period_start desc) s using (tenant_id, account_id)
      where covered_until is distinct from period_end or balance is distinct from closing_balance`,
  },
  {
    name: '15.last_statement',
    clause: "a closed account's last statement ends at its closing, or its job exists",
    sql: `select a.tenant_id, 'account' as kind, a.id,
        ${message('closed at %s, statements until %s', 'a.closed_at', `coalesce(p.covered_until::text, 'never')`)}
      from accounts a left join statement_positions p
        on p.tenant_id = a.tenant_id and p.account_id = a.id
      where a.status = 'closed' and p.covered_until is distinct from ${dayOf('a.closed_at')}
        and not exists (select from jobs d where d.tenant_id = a.tenant_id
          and d.name = 'account_statement' and d.ref = a.id)`,
  },
];

/** Reports and statements (rules/invariants#15). */
export const reportsChecks: readonly Check[] = [...reports, ...statements];
