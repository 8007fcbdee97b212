import { type ActorKind, actorKinds } from '@tenant-payments/contract/core/actors.ts';
import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { Closed, Nullable, OneOf } from '@tenant-payments/contract/core/schema.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { platformScope as platform } from '@tenant-payments/engine/platform.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { timesIn } from '@tenant-payments/engine/time/query_times.ts';
import type { AuditRow } from '@tenant-payments/engine/write/flush_audit.ts';
import type { AccessNotes } from '@tenant-payments/service/http/files/access.ts';
import type { Download } from '@tenant-payments/service/http/files/downloads.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import Type from 'typebox';
import { noteTenants } from '../access/note_tenants.ts';
import {
  auditColumns,
  listAudit as contract,
  AuditRow as Shown,
} from '../contract/operate/audit.ts';
import { type CsvColumn, csvFile } from '../files/list_file.ts';
import { actorNames, tenantNames } from './names.ts';
import { type AuditFilters, auditQuery, type Behind, type Scopes } from './rows.ts';
import { scopesOf } from './scopes.ts';

type Query = QueryOf<typeof contract>;

const fileRowsAtOnce = 1_000;

const Word = Nullable(Type.String());

/** The text that is hashed, as `control.append_audit` writes it: evidence, which is shown as it is. */
export const auditBodyColumn = jsonColumn(
  'control.audit.body',
  'text',
  Closed({
    scope: Type.String(),
    number: Shown.properties.number,
    at: Shown.properties.at,
    actor_kind: OneOf(actorKinds),
    actor_id: Type.String(),
    person_id: Word,
    act: Shown.properties.act,
    record: Word,
    address: Word,
    request_id: Word,
    outcome: Shown.properties.outcome,
    before: Shown.properties.before,
    after: Shown.properties.after,
  }),
);

/** The actor as the chain has it, without the name. */
export const actorShown = ({
  actor_kind,
  actor_id,
  person_id,
}: AuditRow): Omit<Shown['actor'], 'name' | 'email'> => ({
  kind: actor_kind as ActorKind,
  id: actor_id,
  person_id,
});

const countOf = (outcome: string, after: Shown['after']): number =>
  outcome !== 'done' && typeof after?.refusals === 'number' ? after.refusals : 1;

function shown(row: AuditRow, actor: Shown['actor'], tenant_name: string | null): Shown {
  const { before, after } = JSON.parse(row.body) as Pick<Shown, 'before' | 'after'>;
  const { number, at, act, record, address, request_id, outcome, previous_hash, hash } = row;
  const tenant = { tenant_id: row.scope === platform ? null : row.scope, tenant_name };
  const count = countOf(outcome, after);
  const what = { act, record, address, request_id, outcome, count, before, after };
  return { number, ...tenant, at, actor, ...what, previous_hash, hash };
}

/** Rows with the names of who acted and of whose chain it is. */
export async function named(
  context: Pick<ReadContext, 'db'>,
  rows: readonly AuditRow[],
): Promise<(row: AuditRow) => Shown> {
  const [nameOf, tenantOf] = await Promise.all([
    actorNames(context, rows),
    tenantNames(
      context,
      rows.map(({ scope }) => scope),
    ),
  ]);
  return (row) => shown(row, { ...actorShown(row), ...nameOf(row) }, tenantOf(row.scope));
}

const isOne = (scopes: Scopes): scopes is string => typeof scopes === 'string';

const columnsOf = (scopes: Scopes): readonly CsvColumn<AuditRow>[] => [
  ...(isOne(scopes)
    ? []
    : [
        {
          name: 'tenant_id',
          cell: ({ scope }: AuditRow) => (scope === platform ? null : scope),
        },
      ]),
  ...auditColumns.map((name) => ({ name, cell: (row: AuditRow) => row[name] })),
];

/** The rows of a file. One of several chains leaves a row of access with each of their Tenants. */
async function* rowsIn(
  context: ReadContext,
  note: AccessNotes,
  scopes: Scopes,
  filters: AuditFilters,
): AsyncGenerator<AuditRow[]> {
  let behind: Behind | null = null;
  for (;;) {
    const query = await auditQuery(context, scopes, filters, behind, fileRowsAtOnce);
    const { rows } = await query.execute(context.db);
    const chains = isOne(scopes) ? [] : rows.map(({ scope }) => scope);
    const tenants = chains.filter((scope) => scope !== platform);
    await noteTenants(note, context, { kind: 'export', record: contract.id }, tenants);
    yield rows;
    behind = rows.at(-1) ?? null;
    if (rows.length < fileRowsAtOnce) return;
  }
}

/**
 * The place at which a page ends: in one chain its number says it, in several the chain belongs to
 * it.
 */
const placeOf = ({ scope, number }: AuditRow, scopes: Scopes): string =>
  isOne(scopes) ? String(number) : `${scope}:${number}`;

function behindOf(position: Position | null): Behind | null {
  if (position === null) return null;
  const parts = position.id.split(':');
  return { at: position.created_at, scope: parts.at(-2) ?? '', number: Number(parts.at(-1)) };
}

/**
 * GET /portal/api/audit: a chain or all of them, newest first or turned around (rules/audit#13).
 * @returns a read that throws ApiError forbidden; parameter_invalid for a cursor of another list
 */
export const listAudit =
  (note: AccessNotes) =>
  async (context: ReadContext, query: Query): Promise<Page<Shown> | Download> => {
    const { scope, format, limit = defaultLimit, cursor, from: _, to: __, ...rest } = query;
    const scopes = scopesOf(context, scope);
    const { from, to } = timesIn(query);
    const filters: AuditFilters = { ...rest, ...(from && { from }), ...(to && { to }) };
    if (format === 'csv')
      return csvFile('audit', columnsOf(scopes), rowsIn(context, note, scopes, filters));
    const behind = behindOf(context.pages.after(cursor));
    const { rows } = await (await auditQuery(context, scopes, filters, behind, limit + 1)).execute(
      context.db,
    );
    const present = await named(context, rows.slice(0, limit));
    const placed = rows.map((row) => ({ created_at: row.at, id: placeOf(row, scopes), row }));
    return context.pages.page(placed, limit, ({ row }) => present(row));
  };
