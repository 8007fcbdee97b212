import { createHash } from 'node:crypto';
import type { BodyOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { actorName } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { settingText } from '@tenant-payments/engine/settings.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { peerOf } from '@tenant-payments/service/cells/peer_of.ts';
import { textOfFile } from '@tenant-payments/service/http/files/text_of_file.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import { ownTenant } from '../../../approvals/platform/requests.ts';
import {
  type BankStatement,
  type listBankStatements,
  maximumDifferences,
  type StatementComparison,
  statementLimits,
  type uploadBankStatement,
} from '../../../contract/money/bank_statements.ts';
import { nameOf } from '../../../desk/notes.ts';
import { seenTenants } from '../../../tenants/seen.ts';
import { cashAtEnd, readCash } from './cash.ts';
import { matchStatement } from './match.ts';
import { LineFault, type ParsedStatement, parseStatement, type StatementLine } from './parse.ts';

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
  const tenants = seenTenants(context, tenant_id);
  const { rows } = await sql<Row>`${select}
    where (${tenants}::uuid[] is null or s.tenant_id = any(${tenants}::uuid[]))
      ${behind ? sql`and (s.uploaded_at, s.id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
    order by s.uploaded_at desc, s.id desc limit ${limit + 1}`.execute(context.db);
  return context.pages.page(rows, limit, present);
}

/** @throws ApiError not_found */
async function readStatement(context: ReadContext, id: string): Promise<Row> {
  const tenants = seenTenants(context, undefined);
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

/**
 * Whose bank account it is: a Tenant's own, or null for the pooled one, which no program sees.
 * @throws ApiError not_found, param tenant_id; invalid_state {reason: pooled_account}
 */
async function assertAccount(
  service: Service,
  context: ReadContext,
  tenantId: string | null,
): Promise<void> {
  const own = ownTenant(context);
  const none = () => fail('not_found', { param: 'tenant_id' });
  if (own !== null && tenantId !== own) throw none();
  if (tenantId === null) return;
  const { rows } = isUuid(tenantId)
    ? await sql<{ structure: string }>`select ${structure} as structure
        from tenants t where tenant_id = ${tenantId}`.execute((await peerOf(service, tenantId)).db)
    : { rows: [] };
  const [row] = rows;
  if (!row) throw none();
  if (row.structure === 'tenant_scheme')
    throw fail('invalid_state', {
      param: 'tenant_id',
      details: {
        current_status: row.structure,
        allowed: ['dedicated_fbo'],
        reason: 'pooled_account',
      },
      message: "this Tenant's money is in the pooled bank account: leave tenant_id null",
    });
}

/** The Tenants whose cash is in a bank account. */
async function tenantsOf({ db }: ReadContext, { tenant_id }: Pick<Row, 'tenant_id'>) {
  if (tenant_id !== null) return [tenant_id];
  const { rows } = await sql<{ tenant_id: string }>`select tenant_id from tenants t
    where ${structure} = 'tenant_scheme'`.execute(db);
  return rows.map((row) => row.tenant_id);
}

/** What the ledgers of a cell say of a bank account on a day. */
async function cashOf(context: ReadContext, row: Pick<Row, 'tenant_id' | 'day'>) {
  const tenants = await tenantsOf(context, row);
  const [postings, atEnd] = await Promise.all([
    readCash(context, tenants, row.day),
    cashAtEnd(context, tenants, row.day),
  ]);
  return { postings, atEnd };
}

type Body = BodyOf<typeof uploadBankStatement>;

/** A file as it was sent, and the field that has it. */
interface Given {
  readonly param: 'file' | 'csv';
  readonly bytes: Buffer;
  /** Null: it is no text. */
  readonly text: string | null;
}

/** @throws ApiError parameter_missing, parameter_invalid {reason: one_at_a_time} */
function fileIn({ file, csv }: Body): Given {
  if (file !== undefined && csv !== undefined)
    throw fail('parameter_invalid', { param: 'csv', details: { reason: 'one_at_a_time' } });
  if (csv !== undefined) return { param: 'csv', bytes: Buffer.from(csv), text: csv };
  if (file === undefined) throw fail('parameter_missing', { param: 'file' });
  const bytes = Buffer.from(file, 'base64');
  return { param: 'file', bytes, text: textOfFile(bytes) };
}

/** @throws ApiError parameter_invalid {reason, line?} */
function parsedFile({ param, text }: Given, day: string): ParsedStatement {
  const maximum = statementLimits.characters;
  const refused = (details: object, message: string) =>
    fail('parameter_invalid', { param, details: { ...details }, message });
  if (text === null)
    throw refused({ reason: 'no_text' }, 'the file is no text in UTF-8, UTF-16 or Windows-1252');
  if (text.length > maximum)
    throw refused({ reason: 'too_long', maximum }, `the file has more than ${maximum} characters`);
  try {
    return parseStatement(text, day);
  } catch (error) {
    if (error instanceof LineFault) throw refused(error.details, error.message);
    throw error;
  }
}

/** A file is taken once. @throws ApiError invalid_state {reason: uploaded_before, statement_id} */
async function assertNew(
  { db }: ReadContext,
  tenantId: string | null,
  param: Given['param'],
  sha256: string,
) {
  const { rows } = await sql<{ id: string }>`select id from control.bank_statements
    where tenant_id = ${tenantId ?? platformId} and sha256 = ${sha256}`.execute(db);
  const [row] = rows;
  if (row)
    throw fail('invalid_state', {
      param,
      details: {
        current_status: 'uploaded',
        allowed: [],
        reason: 'uploaded_before',
        statement_id: row.id,
      },
      message: 'this file was uploaded before',
    });
}

interface New {
  readonly id: string;
  readonly at: Instant;
  readonly sha256: string;
}

async function store(
  { db, actor }: ReadContext,
  { tenant_id, day, file_name }: Body,
  { lines, closing_balance }: ParsedStatement,
  { id, at, sha256 }: New,
): Promise<void> {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  await sql`insert into control.bank_statements (id, tenant_id, day, file_name, sha256, line_count,
      total, closing_balance, uploader, uploaded_at)
    values (${id}, ${tenant_id ?? platformId}, ${day}, ${file_name}, ${sha256}, ${lines.length}, ${total},
      ${closing_balance}, ${actorName(actor)}, ${at})`.execute(db);
  await sql`insert into control.bank_statement_lines (statement_id, line, amount, reference, description)
    select ${id}, x.line, x.amount, x.reference, x.description
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
      as x(line integer, amount bigint, reference text, description text)`.execute(db);
}

/** Reads, uploads and comparisons of the bank's statements. */
export function bankStatements(service: Service) {
  const { clocks, peers } = service;
  const newId = idMaker();
  return {
    /**
     * POST /portal/api/bank-statements (rules/money-desk#11).
     * @throws ApiError parameter_invalid {reason, line}; not_found; invalid_state
     */
    async upload(context: ReadContext, body: Body): Promise<BankStatement> {
      await assertAccount(service, context, body.tenant_id);
      const file = fileIn(body);
      const parsed = parsedFile(file, body.day);
      const sha256 = createHash('sha256').update(file.bytes).digest('hex');
      // Of two uploads at once the second waits, and then finds the first.
      await sql`select control.lock(hashtextextended(${sha256}, 0))`.execute(context.db);
      await assertNew(context, body.tenant_id, file.param, sha256);
      const id = newId(clocks.realNow());
      await store(context, body, parsed, { id, at: instantOf(clocks.realNow()), sha256 });
      return present(await readStatement(context, id));
    },

    /** GET /portal/api/bank-statements/{id} (rules/money-desk#12). @throws ApiError not_found */
    async compare(context: ReadContext, { id }: { id: string }): Promise<StatementComparison> {
      const row = await readStatement(context, id);
      const [lines, ...cash] = await Promise.all([
        sql<StatementLine>`select line, amount, reference, description
          from control.bank_statement_lines where statement_id = ${id} order by line`.execute(
          context.db,
        ),
        ...peers.all().map(({ db }) => cashOf({ ...context, db }, row)),
      ]);
      const postings = cash.flatMap((cell) => cell.postings);
      const ledger_closing_balance = cash.reduce((sum, { atEnd }) => sum + atEnd, 0);
      const { differences, ...matched } = matchStatement(lines.rows, postings);
      const isClosed = (row.closing_balance ?? ledger_closing_balance) === ledger_closing_balance;
      return {
        object: 'statement_comparison',
        statement: present(row),
        ties: differences.length === 0 && isClosed,
        ledger_total: postings.reduce((sum, { amount }) => sum + amount, 0),
        ledger_closing_balance,
        ...matched,
        differences_count: differences.length,
        differences: differences.slice(0, maximumDifferences),
      };
    },
  };
}
