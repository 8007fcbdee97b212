import type { ParamsOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { TransactionType } from '@tenant-payments/contract/recipes.ts';
import type {
  Counterparty,
  listTransactions as contract,
  Transaction,
} from '@tenant-payments/contract/resources/accounts.ts';
import { sql } from 'kysely';
import { assert, fail } from '../../core/fail.ts';
import { epochMs, type Instant, instantOf } from '../../core/instant.ts';
import { transactionView } from '../../core/transaction.ts';
import type { Page } from '../../http/pages.ts';
import type { ReadContext } from '../../service.ts';
import { bankAccountView, holderView } from './counterparts.ts';

type Input = ParamsOf<typeof contract> & QueryOf<typeof contract>;

const defaultLimit = 25;
const earliestMs = epochMs('0001-01-01T00:00:00.000Z');
const latestMs = epochMs('9999-12-31T23:59:59.999Z');

/** A bound of the list, held to the years that the database knows. */
function boundOf(input: Input, param: 'from' | 'to'): Instant | null {
  const text = input[param];
  if (text === undefined) return null;
  const ms = epochMs(text);
  if (Number.isNaN(ms))
    throw fail('parameter_invalid', { param, details: { reason: 'not_an_instant' } });
  return instantOf(Math.min(Math.max(ms, earliestMs), latestMs));
}

/** The entries of one page, by `entries_transactions`; the page's filters narrow what it scans. */
function entriesOf(context: ReadContext, accountId: string | null, input: Input) {
  const { tenantId, db, pages } = context;
  const after = pages.after(input.cursor);
  const from = boundOf(input, 'from');
  const to = boundOf(input, 'to');
  return db
    .selectFrom('entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId)
    .where('transaction_type', 'is not', null)
    .$if(input.type !== undefined, (q) => q.where('transaction_type', '=', input.type ?? null))
    .$if(from !== null, (q) => q.where('created_at', '>=', from ?? ''))
    .$if(to !== null, (q) => q.where('created_at', '<=', to ?? ''))
    .$if(after !== null, (q) =>
      q.where(
        sql<boolean>`(created_at, id) < (${after?.created_at}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit((input.limit ?? defaultLimit) + 1);
}

/** The page's entries with the names of the other side as they are now; one row of nulls if none. */
function pageQuery(context: ReadContext, accountId: string | null, input: Input) {
  return context.db
    .selectFrom('accounts as h')
    .leftJoinLateral(entriesOf(context, accountId, input).as('e'), (join) => join.onTrue())
    .leftJoin('accounts as a', (join) =>
      join
        .onRef('a.tenant_id', '=', 'h.tenant_id')
        .onRef('a.id', '=', 'e.counterpart_id')
        .on('e.counterpart_kind', '=', 'account'),
    )
    .leftJoin('linked_accounts as l', (join) =>
      join
        .onRef('l.tenant_id', '=', 'h.tenant_id')
        .onRef('l.id', '=', 'e.counterpart_id')
        .on('e.counterpart_kind', '=', 'linked_account'),
    )
    .leftJoin('payments as p', (join) =>
      join
        .onRef('p.tenant_id', '=', 'h.tenant_id')
        .onRef('p.id', '=', 'e.source_id')
        .on('e.source_type', '=', 'payment'),
    )
    .where('h.tenant_id', '=', context.tenantId)
    .where('h.id', '=', accountId)
    .selectAll('e')
    .select(['a.type as holder_type', 'a.customer_id', 'a.holder_name'])
    .select(['l.institution_name', 'l.account_mask', 'p.description'])
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc');
}
type Row = Awaited<ReturnType<ReturnType<typeof pageQuery>['execute']>>[number];

function counterpartyOf(row: Row): Counterparty | null {
  const { holder_type, customer_id, holder_name, institution_name, account_mask } = row;
  if (holder_type && customer_id)
    return holderView({ type: holder_type, customer_id, holder_name });
  if (institution_name && account_mask) return bankAccountView({ institution_name, account_mask });
  return null;
}

function viewOf(row: Row): Transaction {
  const { id, account_id, delta, amount, fee_amount, source_type, source_id, created_at } = row;
  assert(id && account_id && source_type && source_id && created_at, 'the row is an entry');
  return transactionView({
    id,
    accountId: account_id,
    type: row.transaction_type as TransactionType,
    delta: delta ?? 0,
    amount: amount ?? 0,
    fee: fee_amount ?? 0,
    counterparty: counterpartyOf(row),
    sourceType: source_type,
    sourceId: source_id,
    description: row.description,
    createdAt: created_at,
  });
}

/**
 * GET /v1/accounts/{id}/transactions, newest first.
 * @throws ApiError not_found; parameter_invalid for a bad cursor or bound
 */
export async function listTransactions(
  context: ReadContext,
  input: Input,
): Promise<Page<Transaction>> {
  const accountId = uuidOf('account', input.id);
  const rows = await pageQuery(context, accountId, input).execute();
  // An account without a movement still is one row; no row at all is no account.
  if (rows.length === 0) throw fail('not_found');
  const entries = rows.flatMap((row) =>
    row.id && row.created_at ? [{ ...row, id: row.id, created_at: row.created_at }] : [],
  );
  return context.pages.page(entries, input.limit ?? defaultLimit, viewOf);
}
