import { createHash } from 'node:crypto';
import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformId, platformScope } from '@tenant-payments/engine/platform.ts';
import { settingText } from '@tenant-payments/engine/settings.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { peerOf } from '@tenant-payments/service/cells/peer_of.ts';
import { textOfFile } from '@tenant-payments/service/http/files/text_of_file.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import {
  type BankStatement,
  uploadBankStatement as contract,
  type StatementComparison,
  statementLimits,
} from '../../../contract/money/bank_statements.ts';
import { ownTenant } from '../../../own_tenant.ts';
import type { Compare } from './notes.ts';
import { LineFault, type ParsedStatement, parseStatement } from './parse.ts';
import { isBai2, parseBai2 } from './parse_bai2.ts';
import { bankStatementLines, bankStatements } from './table.ts';

const structure = sql.raw(settingText('t', 'account_structure'));

/**
 * Asserts that a program sees the bank account: a Tenant's own, or null for the pooled one, which no program sees.
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

type Body = BodyOf<typeof contract>;

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
    return isBai2(text) ? parseBai2(text, day) : parseStatement(text, day);
  } catch (error) {
    if (error instanceof LineFault) throw refused(error.details, error.message);
    throw error;
  }
}

/** A file is taken once. @throws ApiError invalid_state {reason: uploaded_before, statement_id} */
const uploadedBefore = (param: Given['param'], statement_id: string) =>
  fail('invalid_state', {
    param,
    details: { current_status: 'uploaded', allowed: [], reason: 'uploaded_before', statement_id },
    message: 'this file was uploaded before',
  });

interface Upload extends Pick<Body, 'day' | 'file_name'> {
  readonly param: Given['param'];
  readonly parsed: ParsedStatement;
  readonly sha256: string;
}

/** The command of the Tenant whose bank account it is, or of the platform for the pooled one. */
const upload = ({ clocks }: Pick<Service, 'clocks'>) =>
  command('upload_bank_statement', {
    load: (read, { sha256 }: Upload) => read.by(bankStatements, 'file', { sha256 }),
    decide: (work, before, { day, file_name, param, parsed, sha256 }) => {
      if (before) throw uploadedBefore(param, before.id);
      const { lines, closing_balance } = parsed;
      const { id } = work.create(bankStatements, {
        id: work.newId(),
        day,
        file_name,
        sha256,
        line_count: lines.length,
        total: lines.reduce((sum, { amount }) => sum + amount, 0),
        closing_balance,
        uploader: actorName(work.actor),
        uploaded_at: instantOf(clocks.realNow()),
      });
      for (const { line, amount, reference, description } of lines)
        work.create(bankStatementLines, { statement_id: id, line, amount, reference, description });
      return { value: { id } };
    },
  });

/** Has operators look at a statement that does not agree, or at whose end customers' money is not there. */
function alarm(log: Service['log'], { statement, ...found }: StatementComparison): void {
  const { id, tenant_id, day, closing_balance } = statement;
  const { ties, ledger_closing_balance, customers_closing_balance: customers } = found;
  const facts = { ...(tenant_id && { tenant_id }), id, day, closing_balance };
  if (!ties)
    log.error(
      { alarm: 'bank_difference', ...facts, ledger_closing_balance, open: found.open_count },
      "the bank's statement and the ledger differ",
    );
  if (closing_balance !== null && closing_balance < customers)
    log.error(
      { alarm: 'fbo_short', ...facts, customers },
      "the bank holds less than the customers' money",
    );
}

/**
 * POST /portal/api/bank-statements (rules/money-desk#11).
 * @throws ApiError parameter_invalid {reason, line}; not_found; invalid_state
 */
export const uploadStatement =
  (service: Service, compare: Compare) =>
  async (context: ReadContext, body: Body): Promise<BankStatement> => {
    const { tenant_id: tenantId, day, file_name } = body;
    await assertAccount(service, context, tenantId);
    const { param, ...file } = fileIn(body);
    const parsed = parsedFile({ param, ...file }, day);
    const sha256 = createHash('sha256').update(file.bytes).digest('hex');
    const engine =
      tenantId === null ? service.platformEngine : (await peerOf(service, tenantId)).engine;
    const { body: made } = await engine.submit(upload(service), {
      tenantId: tenantId ?? platformId,
      actor: context.actor,
      act: { act: contract.id, record: null, scope: platformScope },
      input: { day, file_name, param, parsed, sha256 },
    });
    const comparison = await compare(context, JSON.parse(made));
    alarm(service.log, comparison);
    return comparison.statement;
  };
