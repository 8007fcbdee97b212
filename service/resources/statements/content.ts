import { type Institution, institutionOf } from '@tenant-payments/contract/core/institutions.ts';
import type { TransactionType } from '@tenant-payments/contract/recipes.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { type SettingsRow, settingsOf } from '@tenant-payments/engine/settings.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { type Day, easternDay } from '../limits/days.ts';
import { spanOf } from '../reconciliation/day.ts';
import type { StatementRow } from './table.ts';

/** One line of a statement. */
export interface Line {
  readonly day: Day;
  readonly type: TransactionType;
  /** The other side and the payment's description; of a sum the number of its Transactions. */
  readonly detail: string;
  /** In cents: the change of the balance, and the fee in it. */
  readonly net: number;
  readonly fee: number;
}

/** The content of a statement [12 CFR 1005.9(b)]. */
export interface Content {
  readonly statement: StatementRow;
  /** The Tenant's brand name. */
  readonly issuer: string;
  readonly institution: Institution;
  /** In full: this is the holder's own statement. */
  readonly holder: string;
  /** A business has no right to the resolution of errors [12 CFR 1005.2(b)(1), (e)]. */
  readonly isIndividual: boolean;
  readonly lines: readonly Line[];
  /** The number of Transactions; `lines` has one for each unless `summed`. */
  readonly transactions: number;
  /** Too many to list: each line sums a day's Transactions of one type. */
  readonly summed: boolean;
  readonly credits: number;
  readonly debits: number;
  /** The fees of this account in the period, and since the year of its last day began. */
  readonly fees: number;
  readonly feesOfYear: number;
  /** Whether it shows an applicant what statements look like. */
  readonly isSample?: boolean;
}

/** The longest list (rules/reports#20): some 250 pages, and two seconds to write them. */
export const longestList = 5_000;

/**
 * The Transactions of an account that were posted in a period; without `posted_at` their
 * `created_at` counts. `$1` tenant, `$2` account, `$3` and `$4` the span.
 */
/** Its columns of the entry. */
const shown =
  'number, delta, fee_amount, transaction_type, counterpart_kind, counterpart_id, source_type, source_id, created_at, posted_at';
const posted = `(select ${shown} from entries where tenant_id = $1 and account_id = $2
      and transaction_type is not null and posted_at is null
      and created_at >= $3 and created_at < $4
    union all select ${shown} from entries where tenant_id = $1 and account_id = $2
      and transaction_type is not null and posted_at >= $3 and posted_at < $4)`;

const counts = `select count(*) as transactions, coalesce(sum(delta) filter (where delta > 0), 0)::bigint
    as credits, coalesce(-sum(delta) filter (where delta < 0), 0)::bigint as debits,
    coalesce(sum(fee_amount), 0)::bigint as fees from ${posted} e`;

const feesAlone = `select coalesce(sum(fee_amount), 0)::bigint as fees from ${posted} e`;

const list = `select coalesce(e.posted_at, e.created_at) as at, e.transaction_type as type,
    e.delta as net, e.fee_amount as fee,
    concat_ws(', ', coalesce(a.holder_name, l.institution_name || ' ' || l.account_mask),
      p.description) as detail
  from ${posted} e
  left join accounts a on a.tenant_id = $1 and a.id = e.counterpart_id
    and e.counterpart_kind = 'account'
  left join linked_accounts l on l.tenant_id = $1 and l.id = e.counterpart_id
    and e.counterpart_kind = 'linked_account'
  left join payments p on p.tenant_id = $1 and p.id = e.source_id and e.source_type = 'payment'
  order by at, e.number`;

const summary = `select min(coalesce(posted_at, created_at)) as at, transaction_type as type,
    sum(delta)::bigint as net, sum(fee_amount)::bigint as fee, count(*)::text as detail
  from ${posted} e
  group by (coalesce(posted_at, created_at) at time zone 'America/New_York')::date, transaction_type
  order by at`;

interface People extends SettingsRow {
  readonly holder: string;
  readonly type: 'individual' | 'business';
}

type Counts = Pick<Content, 'transactions' | 'credits' | 'debits' | 'fees'>;

const people = `select t.name, t.settings, c.type, coalesce(c.legal_name,
    nullif(concat_ws(' ', c.given_name, c.family_name), ''), a.holder_name, '') as holder
  from tenants t join accounts a on a.tenant_id = t.tenant_id
  join customers c on c.tenant_id = a.tenant_id and c.id = a.customer_id
  where t.tenant_id = $1 and a.tenant_id = $1 and a.id = $2`;

/** The span of the year in which a period ends, up to its end. */
const yearOf = ({ period_end }: StatementRow) =>
  spanOf(`${period_end.slice(0, 'YYYY'.length)}-01-01`, period_end);

/**
 * Reads the content of a statement: names as they are now, amounts as they were posted.
 * @throws when the Transactions do not lead from the opening to the closing balance
 */
export async function readContent(
  pool: pg.Pool,
  tenantId: string,
  statement: StatementRow,
): Promise<Content> {
  const { from, to } = spanOf(statement.period_start, statement.period_end);
  const values = [tenantId, statement.account_id, from, to];
  const ofYear = yearOf(statement);
  const [named, found, year] = await Promise.all([
    pool.query<People>(people, [tenantId, statement.account_id]),
    pool.query<Counts>(counts, values),
    pool.query<{ fees: number }>(feesAlone, [
      tenantId,
      statement.account_id,
      ofYear.from,
      ofYear.to,
    ]),
  ]);
  const [person, sums] = [named.rows[0], found.rows[0]];
  assert(person && sums, 'a statement has an account');
  const { opening_balance, closing_balance } = statement;
  assert(
    opening_balance + sums.credits - sums.debits === closing_balance,
    'the Transactions of a statement lead from its opening to its closing balance',
  );
  const summed = sums.transactions > longestList;
  const { rows } = await pool.query<Omit<Line, 'day'> & { at: Instant }>(
    summed ? summary : list,
    values,
  );
  const lines = rows.map(({ at, ...line }) => ({ ...line, day: easternDay(at) }));
  const settings = settingsOf(tenantId, person);
  return {
    ...sums,
    statement,
    issuer: settings.branding.name,
    institution: institutionOf(settings),
    holder: person.holder,
    isIndividual: person.type === 'individual',
    feesOfYear: year.rows[0]?.fees ?? 0,
    lines,
    summed,
  };
}
