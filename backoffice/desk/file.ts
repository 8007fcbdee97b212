import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import { dependenceOf, outlookFor } from '../approvals/independence.ts';
import { outlookIn, rerun } from '../approvals/preview.ts';
import { DryRun } from '../approvals/seen.ts';
import type { ApprovalRow } from '../approvals/table.ts';
import { approvalView } from '../approvals/view.ts';
import { seldomAlone } from '../contract/operate/approvals.ts';
import type { CaseFile, DeskResource } from '../contract/operate/desk.ts';
import { foreseenLetter } from '../letters/foreseen.ts';
import type { MoveTable, Takes } from '../review/move.ts';
import { awaitedBy } from './awaited.ts';
import { bankAccountsOf } from './bank_accounts.ts';
import { customerOf } from './customer.ts';
import { decisionsOf, earlierOf } from './decisions.ts';
import { readNotes } from './notes.ts';
import { peopleIn } from './people.ts';
import { caseFields, type DeskRow, type DeskTenant, selectCases } from './rows.ts';
import { type CasePath, caseIn, sources } from './sources.ts';

type Parts = Pick<Service, 'db' | 'engine' | 'clocks' | 'config' | 'pool'>;
type Shown = Pick<CaseFile, 'letter'> & { readonly record: object };

/** @throws ApiError not_found */
export async function readCase(
  { tenantId, db }: Pick<ReadContext, 'tenantId' | 'db'>,
  resource: DeskResource,
  id: string,
): Promise<DeskRow> {
  const { rows } = await sql<DeskRow>`${selectCases(resource)}
    where t.tenant_id = ${tenantId} and t.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw fail('not_found', { param: 'id' });
  return row;
}

async function tenantOf(context: ReadContext): Promise<DeskTenant> {
  const { db, tenantId } = context;
  const [row, now] = await Promise.all([
    db
      .selectFrom('tenants')
      .where('tenant_id', '=', tenantId)
      .select(['tenant_id', 'name', 'clock_offset_ms', 'clock_at'])
      .executeTakeFirstOrThrow(),
    context.now(),
  ]);
  return { ...row, now };
}

/** A record as the desk shows it; a request that waits with what it would do now, and the letter of it. */
async function recordOf(
  service: Parts,
  table: MoveTable,
  resource: DeskResource,
  row: DeskRow,
  { context, realNow }: { context: ReadContext; realNow: Instant },
): Promise<Shown> {
  const source = sources[resource];
  if (resource !== 'approvals' || !source.waits(row, realNow))
    return { record: source.present(row, realNow), letter: null };
  const request = row as unknown as ApprovalRow;
  const why = await dependenceOf(service, context.actor, request, context.tenantId);
  const found = await rerun(service, table, request, context);
  const outlook = outlookFor(outlookIn(found, request), why);
  const letter =
    found instanceof DryRun && request.resource === 'disputes'
      ? await foreseenLetter(service, context.tenantId, uuidOf('dispute', request.record_id), found)
      : null;
  return { record: approvalView(request, realNow, outlook), letter };
}

const fieldsOf = (takes: Takes, how: 'required' | 'optional') =>
  Object.entries(takes).flatMap(([name, needs]) => (needs === how ? [name] : []));

/** The options of each move. @param table of the reviewer's moves; a request is decided without fields */
const optionsOf = (
  { config }: Parts,
  table: MoveTable,
  resource: DeskResource,
  moves: readonly string[],
): CaseFile['options'] =>
  moves.map((move) => {
    const takes = table[resource]?.moves[move]?.takes ?? {};
    return {
      move,
      required: fieldsOf(takes, 'required'),
      optional: fieldsOf(takes, 'optional'),
      may_need_approval:
        config.approvals && seldomAlone.some((name) => name === `${resource}.${move}`),
    };
  });

/**
 * GET /portal/api/cases/{resource}/{id} (rules/review#34).
 * @throws ApiError not_found
 */
export const getCase =
  (service: Parts, table: MoveTable) => async (context: ReadContext, path: CasePath) => {
    const { resource, source, id } = caseIn(path);
    const realNow = instantOf(service.clocks.realNow());
    const [row, tenant] = await Promise.all([readCase(context, resource, id), tenantOf(context)]);
    const desk = { actor: context.actor, table, realNow };
    const fields = caseFields(resource, row, tenant, desk);
    const shownId = publicId(source.kind, id);
    const [{ record, letter }, customer, decisions, notes, people] = await Promise.all([
      recordOf(service, table, resource, row, { context, realNow }),
      customerOf(context, resource, row),
      decisionsOf(context, { resource, id }, shownId),
      readNotes(context, { resource, id }),
      peopleIn(context, resource, row),
    ]);
    return {
      object: 'case',
      ...fields,
      status: (record as { status?: string }).status ?? row.status,
      record,
      letter,
      customer_id: customer && publicId('customer', customer),
      people,
      options: optionsOf(service, table, resource, fields.moves),
      decisions,
      earlier: await earlierOf(context, { resource, id }, customer),
      awaits: await awaitedBy(context, resource, id),
      bank_accounts: await bankAccountsOf(context, customer),
      notes,
    };
  };
