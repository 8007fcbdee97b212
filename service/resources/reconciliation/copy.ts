import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { transactionSources } from '@tenant-payments/contract/resources/accounts.ts';
import pg from 'pg';
import { addDays, type Day } from '../limits/days.ts';
import { spanOf } from './day.ts';
import type { ReportRow } from './table.ts';
import { isPosting, postedAt } from './totals.ts';

const hex = (uuid: string) => `encode(uuid_send(${uuid}), 'hex')`;
const id = (prefix: string, uuid: string) => `'${prefix}_' || ${hex(uuid)}`;
const sourcePrefix = `case source_type ${transactionSources
  .map((kind) => `when '${kind}' then '${idPrefixes[kind]}_'`)
  .join(' ')} end`;

/**
 * An instant of the day in UTC, with milliseconds: to_char costs more than all other cells together.
 * Instants have whole milliseconds, and a microsecond more has all of their digits written. A day of
 * Eastern Time lies on two days of UTC.
 */
function utcOf(instant: string, day: Day): string {
  const next = addDays(day, 1);
  return `case when ${instant} < '${next}T00:00:00Z' then '${day}T' else '${next}T' end
    || left((${instant}::time + interval '1 microsecond')::text, 12) || 'Z'`;
}

/**
 * The columns of the file (decisions 2.3, File) and what each is read from, of a posting and
 * its holder. Ids, numbers, instants and our own words alone: no cell can be a formula, nor needs
 * quotes.
 */
const columns: readonly (readonly [name: string, sql: string | ((day: Day) => string)])[] = [
  // As the portal's ledger shows it; a customer's Transaction has the same.
  ['posting_id', 'posting'],
  ['posted_at', (day) => utcOf('posted', day)],
  ['business_date', (day) => `text '${day}'`],
  ['account_id', `coalesce(account, 'fee_clearing')`],
  ['customer_id', 'customer'],
  ['transaction_id', 'case when transaction_type is not null then posting end'],
  ['source_type', 'source_type'],
  ['source_id', `${sourcePrefix} || ${hex('source_id')}`],
  [
    'type',
    `coalesce(transaction_type, case pocket when 'fees_platform' then 'platform_fee' else 'tenant_fee' end
      || case step when 'fees_swept' then '_swept' else '' end)`,
  ],
  [
    'direction',
    `case when delta > 0 or (delta = 0 and transaction_type = 'payment_received') then 'credit'
      else 'debit' end`,
  ],
  ['amount', 'coalesce(amount, abs(delta))'],
  ['fee_amount', 'coalesce(fee_amount, 0)'],
  ['net_amount', 'abs(delta)'],
  ['balance_after', 'ledger_after'],
];

export const header = `${columns.map(([name]) => name).join(',')}\n`;

/**
 * Up to so many rows are put in the order of time. Of more, sorting would take as long as all else:
 * they come as the index has them, which is that order, but not promised.
 */
const sortedUpTo = 100_000;

/** How the rows are read: along the index of days, on one processor, accounts from memory. */
export const settings = `set local work_mem = '64MB'; set local timezone = 'UTC';
  set local max_parallel_workers_per_gather = 0;
  set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_mergejoin = off`;

/**
 * COPY of a day's postings. Text with commas is half as dear as CSV, and the same where no cell
 * needs quotes.
 */
export function copyOf(tenantId: string, report: ReportRow): string {
  const { from, to } = spanOf(report.day);
  const tenant = `${pg.escapeLiteral(tenantId)}::uuid`;
  const cells = columns.map(([, sql]) => (typeof sql === 'string' ? sql : sql(report.day)));
  const order = report.postings_count <= sortedUpTo ? 'order by posted, id' : '';
  // OFFSET 0: what several cells need is made once for each row, and names once for each account.
  return `copy (select ${cells.join(',\n')}
    from (select *, ${postedAt} as posted, ${id(idPrefixes.transaction, 'id')} as posting
      from entries where tenant_id = ${tenant} and ${postedAt} >= '${from}' and ${postedAt} < '${to}'
        and ${isPosting} offset 0) postings
    left join (select id as holder_id, ${id(idPrefixes.account, 'id')} as account,
        ${id(idPrefixes.customer, 'customer_id')} as customer
      from accounts where tenant_id = ${tenant} offset 0) holders on holder_id = account_id
    ${order}) to stdout with (format text, delimiter ',', null '')`;
}

/** The last row: what the rows before it add up to, in as many cells as they have. */
export function trailerOf(report: ReportRow): string {
  const totals: Readonly<Record<string, string | number>> = {
    business_date: report.day,
    opening_balance: report.opening_balance,
    closing_balance: report.closing_balance,
    loads: report.loads,
    payments_balance: report.payments_balance,
    payments_bank: report.payments_bank,
    withdrawals: report.withdrawals,
    refunds_balance: report.refunds_balance,
    refunds_bank: report.refunds_bank,
    fees: report.fees,
    adjustments: report.adjustments,
    fee_clearing_swept: report.fee_clearing_swept,
    postings_count: report.postings_count,
  };
  const cells = Object.entries(totals).map(([name, value]) => `${name}=${value}`);
  return `#TOTALS,${cells.join(',')}\n`;
}
