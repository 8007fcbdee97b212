import { statementLinkSeconds } from '@tenant-payments/contract/resources/statements.ts';
import type { RowOf } from '@tenant-payments/engine/table.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { DownloadLinks } from '../../http/files/download_links.ts';
import { sendNotice } from '../customers/notices/send.ts';
import { addDays, type Day, easternDay } from '../limits/days.ts';
import type { Query } from '../reconciliation/closed_period.ts';
import { spanOf } from '../reconciliation/day.ts';
import { type Period, periodsOf } from './periods.ts';
import { statementPositions, statements } from './table.ts';

/** An account and how far its statements reach. */
export interface Progress {
  readonly id: string;
  readonly customer_id: string;
  readonly opened_at: Instant;
  /** Null: it has no statement yet. */
  readonly covered_until: Day | null;
  readonly balance: number | null;
}

/** The missing statements of an account, with its balance at the end of each. */
export interface Plan {
  readonly account: Progress;
  readonly periods: readonly (Period & { readonly closing: number })[];
}

export const nextStart = ({ covered_until, opened_at }: Progress): Day =>
  covered_until === null ? easternDay(opened_at) : addDays(covered_until, 1);

/**
 * The balance at an instant: the balance now less what was posted since, so that a long history
 * costs nothing. Each of the two sums has its index.
 */
const ledgers = `select x.place, (b.available + b.pending_outgoing + b.earmarked
    - (select coalesce(sum(delta), 0) from entries where tenant_id = $1 and account_id = x.account_id
        and transaction_type is not null and posted_at is null and created_at >= x.at)
    - (select coalesce(sum(delta), 0) from entries where tenant_id = $1 and account_id = x.account_id
        and transaction_type is not null and posted_at >= x.at))::bigint as ledger
  from unnest($2::uuid[], $3::timestamptz[]) with ordinality x(account_id, at, place)
  join balances b on b.tenant_id = $1 and b.account_id = x.account_id`;

/** Plans the statements of each account up to a day that is over. */
export async function planStatements(
  query: Query,
  tenantId: string,
  accounts: readonly Progress[],
  until: Day,
): Promise<Plan[]> {
  const missing = accounts
    .map((account) => ({ account, periods: periodsOf(nextStart(account), until) }))
    .filter(({ periods }) => periods.length > 0);
  const ends = missing.flatMap(({ account, periods }) =>
    periods.map(({ end }) => ({ id: account.id, at: spanOf(end).to })),
  );
  if (ends.length === 0) return [];
  const found = await query<{ place: number; ledger: number }>(ledgers, [
    tenantId,
    ends.map(({ id }) => id),
    ends.map(({ at }) => at),
  ]);
  const ledgerAt = new Map(found.map(({ place, ledger }) => [place, ledger]));
  let place = 0;
  return missing.map(({ account, periods }) => ({
    account,
    periods: periods.map((period) => {
      place += 1;
      return { ...period, closing: ledgerAt.get(place) ?? 0 };
    }),
  }));
}

/** The context that a command needs to make the addresses of statements. */
export interface IssueContext {
  readonly links: DownloadLinks;
  readonly tenantId: string;
  readonly linkExpiresAtMs: number;
}

export const issueContext = (links: DownloadLinks, tenantId: string): IssueContext => ({
  links,
  tenantId,
  linkExpiresAtMs: links.expiryMs(statementLinkSeconds),
});

/**
 * Makes the statements of a plan, unless another run has made some of them since.
 * @param position how far the account's statements reach now
 * @returns false if the plan is out of date
 */
export function issueStatements(
  work: Work,
  { links, tenantId, linkExpiresAtMs }: IssueContext,
  { account, periods }: Plan,
  position: RowOf<typeof statementPositions> | null,
): boolean {
  const last = periods.at(-1);
  if (!last || (position?.covered_until ?? null) !== account.covered_until) return false;
  let opening = account.balance ?? 0;
  for (const { start, end, closing } of periods) {
    const id = work.newId();
    const { url, expiresAt } = links.to(
      { kind: 'statement', tenantId, record: id },
      linkExpiresAtMs,
    );
    work.create(
      statements,
      {
        id,
        account_id: account.id,
        period_start: start,
        period_end: end,
        opening_balance: opening,
        closing_balance: closing,
        download_url: url,
        download_url_expires_at: expiresAt,
        available_at: work.now,
      },
      'issue',
    );
    sendNotice(work, { customerId: account.customer_id, kind: 'statement_ready', sourceId: id });
    opening = closing;
  }
  const reached = { covered_until: last.end, balance: last.closing };
  if (position) work.change(position, reached);
  else work.create(statementPositions, { account_id: account.id, ...reached });
  return true;
}
