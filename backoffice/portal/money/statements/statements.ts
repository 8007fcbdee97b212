import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { sumOf } from '@tenant-payments/contract/core/money.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { settingText } from '@tenant-payments/engine/settings.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import {
  type BankStatement,
  type listBankStatements,
  maximumDifferences,
  type StatementDifference,
} from '../../../contract/money/bank_statements.ts';
import { nameOf } from '../../../desk/notes.ts';
import { visibleTenants } from '../../../tenants/visible_tenants.ts';
import { cashAtEnd, customersAtEnd, readCash } from './cash.ts';
import { type Found, matchStatement } from './match.ts';
import { type Compare, keyOf, notesOf } from './notes.ts';
import type { StatementLine } from './parse.ts';

type Row = Omit<BankStatement, 'object' | 'lines' | 'uploaded_by' | 'uploaded_at'> &
  Position & {
    readonly line_count: number;
    readonly uploader: string;
    readonly uploader_name: string | null;
  };

const structure = sql.raw(settingText('t', 'account_structure'));

/** Statements as `s`, without a condition. */
const select = sql`select s.id, nullif(s.tenant_id, ${platformId}) as tenant_id, t.name as tenant_name, s.day, s.file_name, s.sha256,
    s.line_count, s.total, s.closing_balance, s.uploader, p.name as uploader_name,
    s.uploaded_at as created_at
  from control.bank_statements s left join control.served_tenants() t on t.tenant_id = s.tenant_id
    left join control.people p on s.uploader = 'person ' || p.id`;

const present = ({
  line_count,
  uploader,
  uploader_name,
  created_at,
  ...row
}: Row): BankStatement => ({
  object: 'bank_statement',
  ...row,
  lines: line_count,
  uploaded_by: nameOf(uploader, uploader_name),
  uploaded_at: created_at,
});

/**
 * GET /portal/api/bank-statements: newest first.
 * @throws ApiError parameter_invalid for a cursor of another list
 */
export async function listStatements(
  context: ReadContext,
  { limit = defaultLimit, cursor, tenant_id }: QueryOf<typeof listBankStatements>,
): Promise<Page<BankStatement>> {
  const behind = context.pages.after(cursor);
  const tenants = visibleTenants(context, tenant_id);
  const { rows } = await sql<Row>`${select}
    where (${tenants}::uuid[] is null or s.tenant_id = any(${tenants}::uuid[]))
      ${behind ? sql`and (s.uploaded_at, s.id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
    order by s.uploaded_at desc, s.id desc limit ${limit + 1}`.execute(context.db);
  return context.pages.page(rows, limit, present);
}

/** @throws ApiError not_found */
async function readStatement(context: ReadContext, id: string): Promise<Row> {
  const tenants = visibleTenants(context, undefined);
  const { rows } = isUuid(id)
    ? await sql<Row>`${select} where s.id = ${id}
        and (${tenants}::uuid[] is null or s.tenant_id = any(${tenants}::uuid[]))`.execute(
        context.db,
      )
    : { rows: [] };
  const [row] = rows;
  if (!row) throw fail('not_found', { param: 'id' });
  return row;
}

/** The Tenants of a cell whose cash is in a bank account. A copy that a move has left there has no Tenant. */
async function tenantsOf({ db }: ReadContext, { tenant_id }: Pick<Row, 'tenant_id'>) {
  const isMeant = tenant_id ? sql`tenant_id = ${tenant_id}` : sql`${structure} = 'tenant_scheme'`;
  const { rows } = await sql<{ tenant_id: string }>`select tenant_id from tenants t
    where ${isMeant}`.execute(db);
  return rows.map((row) => row.tenant_id);
}

/** The cash of a bank account on a day by the ledgers of a cell, and the part of it that is the customers'. */
async function cashOf(context: ReadContext, row: Pick<Row, 'tenant_id' | 'day'>) {
  const tenants = await tenantsOf(context, row);
  const [postings, atEnd, customers] = await Promise.all([
    readCash(context, tenants, row.day),
    cashAtEnd(context, tenants, row.day),
    customersAtEnd(context, tenants, row.day),
  ]);
  return { postings, atEnd, customers };
}

const withNotes = (found: Found, all: Awaited<ReturnType<typeof notesOf>>): StatementDifference => {
  const key = keyOf(found);
  const notes = [...(all.get(key) ?? [])];
  return { key, ...found, cleared: notes.at(-1)?.cleared ?? false, notes };
};

/** GET /portal/api/bank-statements/{id} (rules/money-desk#12). @throws ApiError not_found */
export const compareStatement =
  ({ peers }: Pick<Service, 'peers'>): Compare =>
  async (context, { id }) => {
    const row = await readStatement(context, id);
    const [notes, lines, ...cash] = await Promise.all([
      notesOf(context, id),
      sql<StatementLine>`select line, amount, reference, description
        from control.bank_statement_lines where statement_id = ${id} order by line`.execute(
        context.db,
      ),
      ...peers.all().map(({ db }) => cashOf({ ...context, db }, row)),
    ]);
    const postings = cash.flatMap((cell) => cell.postings);
    const ledger_closing_balance = sumOf(cash, ({ atEnd }) => atEnd);
    const { differences: found, ...matched } = matchStatement(lines.rows, postings);
    const differences = found.map((one) => withNotes(one, notes));
    const isClosed = (row.closing_balance ?? ledger_closing_balance) === ledger_closing_balance;
    return {
      object: 'statement_comparison',
      statement: present(row),
      ties: differences.length === 0 && isClosed,
      ledger_total: sumOf(postings, ({ amount }) => amount),
      ledger_closing_balance,
      customers_closing_balance: sumOf(cash, ({ customers }) => customers),
      ...matched,
      differences_count: differences.length,
      open_count: differences.filter(({ cleared }) => !cleared).length,
      differences: differences.slice(0, maximumDifferences),
    };
  };
