import type { ParamsOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { TransactionType } from '@tenant-payments/contract/recipes.ts';
import type {
  Counterparty,
  listTransactions as contract,
  Transaction,
} from '@tenant-payments/contract/resources/accounts.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { transactionView } from '@tenant-payments/engine/write/transaction.ts';
import { type RawBuilder, sql } from 'kysely';
import type { ReadContext } from '../../read_context.ts';
import { bankAccountView, holderView } from './counterparts.ts';

type Input = ParamsOf<typeof contract> & QueryOf<typeof contract>;
/** The input of a page: the query of the list, or one Transaction. */
type Asked = QueryOf<typeof contract> & { readonly only?: string };

const earliestMs = epochMs('0001-01-01T00:00:00.000Z');
const latestMs = epochMs('9999-12-31T23:59:59.999Z');

/** A bound of the list, clamped to the years that the database knows. */
function boundOf(input: Asked, param: 'from' | 'to'): Instant | null {
  const text = input[param];
  if (text === undefined) return null;
  const ms = epochMs(text);
  if (Number.isNaN(ms))
    throw fail('parameter_invalid', { param, details: { reason: 'not_an_instant' } });
  return instantOf(Math.min(Math.max(ms, earliestMs), latestMs));
}

interface Row {
  /** Null where the account has no Transaction on this page. */
  readonly id: string | null;
  readonly account_id: string;
  readonly transaction_type: TransactionType;
  readonly delta: number;
  readonly amount: number;
  readonly fee_amount: number;
  readonly source_type: string;
  readonly source_id: string;
  readonly status: Transaction['status'];
  readonly created_at: Instant;
  readonly posted_at: Instant | null;
  readonly holder_type: 'consumer' | 'merchant' | null;
  readonly customer_id: string | null;
  readonly holder_name: string | null;
  readonly institution_name: string | null;
  readonly account_mask: string | null;
  readonly description: string | null;
}

/** Posted Transactions are entries (`entries_transactions`). */
const posted = sql`select id, account_id, transaction_type, delta, amount, fee_amount, counterpart_kind,
    counterpart_id, source_type, source_id, 'posted' as status, created_at,
    coalesce(posted_at, created_at) as posted_at
  from entries where transaction_type is not null`;

/** The others stand beside them (`pending_transactions_shown`). */
const unposted = sql`select id, account_id, 'withdrawal' as transaction_type, -amount as delta, amount,
    0 as fee_amount, 'linked_account' as counterpart_kind, linked_account_id as counterpart_id,
    'withdrawal' as source_type, source_id, status, created_at, null::timestamptz as posted_at
  from pending_transactions where status <> 'posted'`;

/**
 * The page with the names of the other side as they are now; one row of nulls where it is empty.
 */
function pageQuery({ tenantId, pages }: ReadContext, accountId: string | null, input: Asked) {
  const after = pages.after(input.cursor);
  const from = boundOf(input, 'from');
  const to = boundOf(input, 'to');
  const only = sql`and tenant_id = ${tenantId} and account_id = ${accountId}
    ${input.only === undefined ? sql`` : sql`and id = ${input.only}`}
    ${from === null ? sql`` : sql`and created_at >= ${from}`}
    ${to === null ? sql`` : sql`and created_at <= ${to}`}
    ${after === null ? sql`` : sql`and (created_at, id) < (${after.created_at}::timestamptz, ${after.id}::uuid)`}`;
  const firstOnes = sql`order by created_at desc, id desc limit ${(input.limit ?? defaultLimit) + 1}`;
  const ofType = input.type === undefined ? sql`` : sql`and transaction_type = ${input.type}`;
  const isWithdrawal = input.type === undefined || input.type === 'withdrawal';
  return sql<Row>`select t.id, t.account_id, t.transaction_type, t.delta, t.amount, t.fee_amount,
      t.source_type, t.source_id, t.status, t.created_at, t.posted_at, a.type as holder_type, a.customer_id, a.holder_name, l.institution_name,
      l.account_mask, p.description
    from accounts h
    left join lateral ((${posted} ${only} ${ofType} ${firstOnes})
      union all (${unposted} and ${isWithdrawal} ${only} ${firstOnes}) ${firstOnes}) t on true
    left join accounts a on a.tenant_id = h.tenant_id and a.id = t.counterpart_id
      and t.counterpart_kind = 'account'
    left join linked_accounts l on l.tenant_id = h.tenant_id and l.id = t.counterpart_id
      and t.counterpart_kind = 'linked_account'
    left join refunds r on r.tenant_id = h.tenant_id and r.id = t.source_id
      and t.source_type = 'refund'
    left join payments p on p.tenant_id = h.tenant_id
      and p.id = case t.source_type when 'payment' then t.source_id else r.payment_id end
    where h.tenant_id = ${tenantId} and h.id = ${accountId}
    order by t.created_at desc, t.id desc`;
}

function counterpartyOf(row: Row): Counterparty | null {
  const { holder_type, customer_id, holder_name, institution_name, account_mask } = row;
  if (holder_type && customer_id)
    return holderView({ type: holder_type, customer_id, holder_name });
  if (institution_name && account_mask) return bankAccountView({ institution_name, account_mask });
  return null;
}

const viewOf = (row: Row & { readonly id: string }): Transaction =>
  transactionView({
    id: row.id,
    accountId: row.account_id,
    type: row.transaction_type,
    delta: row.delta,
    amount: row.amount,
    fee: row.fee_amount,
    counterparty: counterpartyOf(row),
    sourceType: row.source_type,
    sourceId: row.source_id,
    description: row.description,
    status: row.status,
    createdAt: row.created_at,
    postedAt: row.posted_at,
  });

/**
 * GET /v1/accounts/{id}/transactions, newest first.
 * @throws ApiError not_found; parameter_invalid for a bad cursor or bound
 */
export async function listTransactions(
  context: ReadContext,
  input: Input,
): Promise<Page<Transaction>> {
  const accountId = uuidOf('account', input.id);
  const { rows } = await pageQuery(context, accountId, input).execute(context.db);
  // An account without a movement gives one row of nulls; no row means no account.
  if (rows.length === 0) throw fail('not_found');
  const found = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]));
  return context.pages.page(found, input.limit ?? defaultLimit, viewOf);
}

/** When and on which account: a pending one stands beside the entries, a posted one's event names its moment. */
const placeOf = (tenantId: string, id: string) => {
  const moment = (of: RawBuilder<unknown>) => sql`select e.account_id, e.created_at from events v
    join entries e on e.tenant_id = v.tenant_id and e.id = ${id} and e.transaction_type is not null
      and coalesce(e.posted_at, e.created_at) = v.created_at
    where v.tenant_id = ${tenantId} and v.object_id = ${id} and ${of}`;
  return sql<{ account_id: string; created_at: Instant }>`select account_id, created_at
      from pending_transactions where tenant_id = ${tenantId} and id = ${id}
    union all (${moment(sql`v.id = ${id}`)})
    union all (${moment(sql`v.id <> v.object_id and not v.sample`)}) limit 1`;
};

/** GET /v1/transactions/{id}: entries are found by their account and time. @throws ApiError not_found */
export async function getTransaction(
  context: ReadContext,
  { id }: { id: string },
): Promise<Transaction> {
  const only = uuidOf('transaction', id);
  const places = only === null ? null : await placeOf(context.tenantId, only).execute(context.db);
  const [place] = places?.rows ?? [];
  if (only === null || !place) throw fail('not_found');
  const { account_id, created_at: at } = place;
  const { rows } = await pageQuery(context, account_id, { only, from: at, to: at }).execute(
    context.db,
  );
  const [row] = rows;
  if (!row || row.id === null) throw fail('not_found');
  return viewOf({ ...row, id: row.id });
}
