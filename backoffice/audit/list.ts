import { Readable } from 'node:stream';
import { type ActorKind, actorKinds } from '@tenant-payments/contract/core/actors.ts';
import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { mayCall } from '@tenant-payments/contract/core/roles.ts';
import { Closed, Nullable, OneOf } from '@tenant-payments/contract/core/schema.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { platformScope as platform } from '@tenant-payments/engine/platform.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { timesIn } from '@tenant-payments/engine/time/query_times.ts';
import {
  type AuditRow,
  auditColumns as rowColumns,
} from '@tenant-payments/engine/write/flush_audit.ts';
import { csvLine } from '@tenant-payments/service/http/files/csv.ts';
import type { Download } from '@tenant-payments/service/http/files/downloads.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import Type from 'typebox';
import {
  auditColumns,
  type listAudit as contract,
  AuditRow as Shown,
} from '../contract/operate/audit.ts';

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

export const actorShown = ({ actor_kind, actor_id, person_id }: AuditRow): Shown['actor'] => ({
  kind: actor_kind as ActorKind,
  id: actor_id,
  person_id,
});

const countOf = (outcome: string, after: Shown['after']): number =>
  outcome !== 'done' && typeof after?.refusals === 'number' ? after.refusals : 1;

function shown(row: AuditRow): Shown {
  const { before, after } = JSON.parse(row.body) as Pick<Shown, 'before' | 'after'>;
  const { number, at, act, record, address, request_id, outcome, previous_hash, hash } = row;
  const actor = actorShown(row);
  const count = countOf(outcome, after);
  const what = { act, record, address, request_id, outcome, count, before, after };
  return { number, at, actor, ...what, previous_hash, hash };
}

/** @throws ApiError forbidden: the platform's chain is admin's, a Tenant's wants a Tenant */
export function scopeOf(
  { tenantId, actor }: ReadContext,
  scope: Query['scope'] = 'tenant',
): string {
  if (scope === 'platform') {
    const roles = ['admin'] as const;
    if (mayCall(roles, actor.roles)) return platform;
    throw fail('forbidden', { param: 'scope', details: { roles } });
  }
  if (tenantId === '') throw fail('forbidden', { details: { reason: 'choose_tenant' } });
  return tenantId;
}

/** @param behind number of the row that the list goes on behind; null: from the newest on */
async function rowsOf(
  { db }: ReadContext,
  scope: string,
  { actor, act, record, outcome, from, to }: Query,
  behind: number | null,
  limit: number,
): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select ${sql.raw(rowColumns.join(', '))} from control.audit where scope = ${scope}
      ${behind === null ? sql`` : sql`and number < ${behind}`}
      ${actor === undefined ? sql`` : sql`and (actor_id = ${actor} or person_id = ${actor})`}
      ${act === undefined ? sql`` : sql`and (act = ${act} or starts_with(act, ${`${act}.`}))`}
      ${record === undefined ? sql`` : sql`and record = ${record}`}
      ${outcome === undefined ? sql`` : sql`and (outcome = 'done') = ${outcome === 'done'}`}
      ${from === undefined ? sql`` : sql`and at >= ${from}::timestamptz`}
      ${to === undefined ? sql`` : sql`and at < ${to}::timestamptz`}
    order by number desc limit ${limit}`.execute(db);
  return rows;
}

async function* linesOf(context: ReadContext, scope: string, query: Query) {
  yield csvLine(auditColumns);
  let behind: number | null = null;
  for (;;) {
    const rows: AuditRow[] = await rowsOf(context, scope, query, behind, fileRowsAtOnce);
    yield rows.map((row) => csvLine(auditColumns.map((name) => row[name]))).join('');
    behind = rows.at(-1)?.number ?? null;
    if (rows.length < fileRowsAtOnce) return;
  }
}

/**
 * GET /portal/api/audit: the chain of the Tenant or of the platform, newest first (rules/audit#13).
 * @throws ApiError forbidden; parameter_invalid for a cursor of another list
 */
export async function listAudit(
  context: ReadContext,
  query: Query,
): Promise<Page<Shown> | Download> {
  const scope = scopeOf(context, query.scope);
  const { from, to } = timesIn(query);
  const { from: _, to: __, ...rest } = query;
  const checked: Query = { ...rest, ...(from && { from }), ...(to && { to }) };
  if (query.format === 'csv')
    return {
      contentType: 'text/csv; charset=utf-8; header=present',
      fileName: 'audit.csv',
      open: async () => Readable.from(linesOf(context, scope, checked), { objectMode: false }),
    };
  const { limit = defaultLimit, cursor } = query;
  const position = context.pages.after(cursor);
  const behind = position && Number(position.id);
  const rows = await rowsOf(context, scope, checked, behind, limit + 1);
  const placed = rows.map((row) => ({ created_at: row.at, id: String(row.number), row }));
  return context.pages.page(placed, limit, ({ row }) => shown(row));
}
