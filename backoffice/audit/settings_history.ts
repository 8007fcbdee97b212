import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { type AuditRow, auditColumns } from '@tenant-payments/engine/write/flush_audit.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type { listSettingChanges as contract, SettingChange } from '../contract/operate/audit.ts';
import { actorShown } from './list.ts';
import { actorNames } from './names.ts';

type Row = AuditRow & { readonly key: string; readonly was: unknown; readonly is: unknown };

/** A page ends at a row of the audit and a key of it. */
function placeOf(id: string): { number: number; key: string } {
  const [number = '', key = ''] = id.split(':');
  return { number: Number(number), key };
}

/** GET /portal/api/settings/history: each changed key, out of the audit (rules/operations#50). */
export async function listSettingChanges(
  context: ReadContext,
  { key, limit = defaultLimit, cursor }: QueryOf<typeof contract>,
): Promise<Page<SettingChange>> {
  const { tenantId, db, pages } = context;
  const position = pages.after(cursor);
  const behind = position && placeOf(position.id);
  const { rows } = await sql<Row>`
    select ${sql.raw(auditColumns.map((column) => `a.${column}`).join(', '))}, k.key, a.body::jsonb -> 'before' -> k.key as was, a.body::jsonb -> 'after' -> k.key as is
    from control.audit a cross join lateral jsonb_object_keys(a.body::jsonb -> 'after') k(key)
    where a.scope = ${tenantId} and a.act = 'putSettings' and a.outcome = 'done'
      ${key === undefined ? sql`` : sql`and k.key = ${key}`}
      ${behind ? sql`and (a.number, k.key) < (${behind.number}, ${behind.key})` : sql``}
    order by a.number desc, k.key desc limit ${limit + 1}`.execute(db);
  const placed = rows.map((row) => ({
    created_at: row.at,
    id: `${row.number}:${row.key}`,
    row,
  }));
  const nameOf = await actorNames(context, rows);
  return pages.page(placed, limit, ({ row }) => ({
    at: row.at,
    actor: { ...actorShown(row), ...nameOf(row) },
    request_id: row.request_id,
    key: row.key,
    before: row.was,
    after: row.is,
  }));
}
