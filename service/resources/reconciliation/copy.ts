import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { sweepSteps } from '@tenant-payments/contract/own_recipes.ts';
import { transactionSources } from '@tenant-payments/contract/resources/accounts.ts';
import {
  type ReconciliationColumn,
  reconciliationColumns,
} from '@tenant-payments/contract/resources/reports.ts';
import pg from 'pg';
import { addDays, type Day } from '../limits/days.ts';
import type { Query } from './closed_period.ts';
import { spanOf } from './day.ts';
import type { ReportRow } from './table.ts';
import { isPosting, postedAt } from './totals.ts';

const hex = (uuid: string) => `encode(uuid_send(${uuid}), 'hex')`;
const id = (prefix: string, uuid: string) => `'${prefix}_' || ${hex(uuid)}`;
const sourcePrefix = `case source_type ${transactionSources
  .map((kind) => `when '${kind}' then '${idPrefixes[kind]}_'`)
  .join(' ')} end`;

/**
 * SQL of an instant in UTC with milliseconds; to_char would cost more than all other cells
 * together. One microsecond is added so that all digits are written. A day of Eastern Time spans
 * two UTC days.
 */
function utcOf(instant: string, day: Day): string {
  const next = addDays(day, 1);
  return `case when ${instant} < '${next}T00:00:00Z' then '${day}T' else '${next}T' end
    || left((${instant}::time + interval '1 microsecond')::text, 12) || 'Z'`;
}

/** Records that post and may have metadata. */
const postingTables = {
  load: 'loads',
  payment: 'payments',
  withdrawal: 'withdrawals',
  refund: 'refunds',
  dispute: 'disputes',
} as const;

const metadataCell = (tenant: string): string =>
  `case source_type ${Object.entries(postingTables)
    .map(
      ([kind, table]) => `when '${kind}' then (select r.metadata from ${table} r
        where r.tenant_id = ${tenant} and r.id = source_id and r.metadata is not null)`,
    )
    .join(' ')} end`;

const metadataUntil = Object.values(postingTables)
  .map(
    (table) => `exists (select from ${table}
      where tenant_id = $1 and metadata is not null and created_at < $2)`,
  )
  .join(' or ');

/** Whether a Tenant has made a record with metadata that can post, by the end of a day (rules/reads#10). */
export async function readUsesMetadata(query: Query, tenantId: string, day: Day): Promise<boolean> {
  const [row] = await query<{ uses: boolean }>(`select ${metadataUntil} as uses`, [
    tenantId,
    spanOf(day).to,
  ]);
  return row?.uses ?? false;
}

interface File {
  /** SQL of the Tenant's id. */
  readonly tenant: string;
  readonly day: Day;
}

/**
 * The SQL of each column of the file (rules/reports#10). Cells are ids, numbers, instants and
 * our own words, so none can be a formula or needs quotes; metadata is JSON, and is quoted.
 */
const cells: Readonly<Record<ReconciliationColumn, string | ((of: File) => string)>> = {
  // The same id as in the portal's ledger and of the customer's Transaction.
  posting_id: 'posting',
  posted_at: ({ day }) => utcOf('posted', day),
  business_date: ({ day }) => `text '${day}'`,
  account_id: `coalesce(account, 'fee_clearing')`,
  customer_id: 'customer',
  transaction_id: 'case when transaction_type is not null then posting end',
  source_type: 'source_type',
  source_id: `${sourcePrefix} || ${hex('source_id')}`,
  type: `coalesce(transaction_type::text, case pocket when 'fees_platform' then 'platform_fee' else 'tenant_fee' end
      || case when step in (${sweepSteps.map((step) => `'${step}'`).join(', ')}) then '_swept' else '' end)`,
  direction: `case when delta > 0 or (delta = 0 and transaction_type = 'payment_received') then 'credit'
      else 'debit' end`,
  amount: 'coalesce(amount, abs(delta))',
  fee_amount: 'coalesce(fee_amount, 0)',
  net_amount: 'abs(delta)',
  balance_after: 'ledger_after',
  metadata: ({ tenant }) => metadataCell(tenant),
};

/** `metadata` is there only where the Tenant uses it (rules/reads#10). */
type Shape = Pick<ReportRow, 'file_has_metadata'>;

const names = Object.keys(reconciliationColumns) as ReconciliationColumn[];
const columnsOf = ({ file_has_metadata }: Shape) =>
  names.filter((name) => name !== 'metadata' || file_has_metadata);

/** The columns of an entry that its cells are made of, beside those that are computed. */
const shown = `source_type, source_id, transaction_type, pocket, step, delta, amount, fee_amount, ledger_after`;

/** The first line of the file: the names of its columns. */
export const headerOf = (report: Shape): string => `${columnsOf(report).join(',')}\n`;

/**
 * Up to this many rows are sorted by time. Sorting more would double the time: they come in the
 * order of the index, which is the same but not guaranteed (rules/reports#13).
 */
const sortedUpTo = 100_000;

/** Planner settings: read along the index of days, on one processor, accounts from memory. */
export const settings = `set local work_mem = '64MB'; set local timezone = 'UTC';
  set local max_parallel_workers_per_gather = 0;
  set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_mergejoin = off`;

/**
 * The COPY statement of a day's postings. Text format with commas costs half of CSV and gives the
 * same bytes, where no cell needs quotes.
 */
export function copyOf(tenantId: string, report: ReportRow): string {
  const { from, to } = spanOf(report.day);
  const tenant = `${pg.escapeLiteral(tenantId)}::uuid`;
  const selected = columnsOf(report).map((name) => {
    const sql = cells[name];
    return typeof sql === 'string' ? sql : sql({ tenant, day: report.day });
  });
  const format = report.file_has_metadata ? 'csv' : 'text';
  const order = report.postings_count <= sortedUpTo ? 'order by posted, id' : '';
  // OFFSET 0 keeps the subqueries: shared values are computed once for each row or account.
  return `copy (select ${selected.join(',\n')}
    from (select id, account_id, ${shown}, ${postedAt} as posted, ${id(idPrefixes.transaction, 'id')} as posting
      from entries where tenant_id = ${tenant} and ${postedAt} >= '${from}' and ${postedAt} < '${to}'
        and ${isPosting} offset 0) postings
    left join (select id as holder_id, ${id(idPrefixes.account, 'id')} as account,
        ${id(idPrefixes.customer, 'customer_id')} as customer
      from accounts where tenant_id = ${tenant} offset 0) holders on holder_id = account_id
    ${order}) to stdout with (format ${format}, delimiter ',', null '')`;
}

/** The last row: the totals of the rows before it (rules/reports#12). */
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
  const values = Object.entries(totals).map(([name, value]) => `${name}=${value}`);
  // As many cells as a row has.
  const row = ['#TOTALS', ...values, ...(report.file_has_metadata ? [''] : [])];
  return `${row.join(',')}\n`;
}
