import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import {
  type AuditRow,
  auditColumns as rowColumns,
} from '@tenant-payments/engine/write/flush_audit.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { wayOf } from '@tenant-payments/service/resources/found_page.ts';
import { type RawBuilder, sql } from 'kysely';
import type { listAudit as contract } from '../contract/operate/audit.ts';

/** Chains that are read together: one, some, or every one there is. */
export type Scopes = string | readonly string[] | null;

export type AuditFilters = Omit<QueryOf<typeof contract>, 'scope' | 'limit' | 'cursor' | 'format'>;

/** The place where a page ended: in one chain its number, in several the time too. */
export interface Behind {
  readonly at: string;
  readonly scope: string;
  readonly number: number;
}

/** Behind every text that begins so, in the order of bytes. */
const last = String.fromCodePoint(0x10ffff);

/**
 * The acts of an actor, by its own id or by the person behind it: the kind of the id decides which
 * index is read.
 */
async function actedBy(
  { db }: Pick<ReadContext, 'db'>,
  actor: string,
): Promise<RawBuilder<unknown>> {
  if (!isUuid(actor)) return sql`and actor_id = ${actor}`;
  const { rows } = await sql`select 1 from control.people where id = ${actor}::uuid`.execute(db);
  return rows.length > 0 ? sql`and person_id = ${actor}` : sql`and actor_id = ${actor}`;
}

const within = (scopes: Scopes) => {
  if (scopes === null) return sql`true`;
  return typeof scopes === 'string'
    ? sql`scope = ${scopes}`
    : sql`scope = any(${scopes as string[]})`;
};

/** The query of a page, newest first or turned around. */
export async function auditQuery(
  context: Pick<ReadContext, 'db'>,
  scopes: Scopes,
  { actor, act, record, outcome, order, from, to }: AuditFilters,
  behind: Behind | null,
  limit: number,
): Promise<RawBuilder<AuditRow>> {
  const isOne = typeof scopes === 'string';
  const by = actor === undefined ? sql`` : await actedBy(context, actor);
  const [beyond, way] = wayOf(order);
  const goneOn = isOne
    ? sql`and number ${beyond} ${behind?.number ?? 0}`
    : sql`and (at, scope, number) ${beyond} (${behind?.at ?? ''}::timestamptz, ${behind?.scope ?? ''}, ${behind?.number ?? 0})`;
  return sql<AuditRow>`
    select ${sql.raw(rowColumns.join(', '))} from control.audit where ${within(scopes)}
      ${behind === null ? sql`` : goneOn} ${by}
      ${act === undefined ? sql`` : act === 'review' ? sql`and (act = 'review' or starts_with(act, 'review.'))` : sql`and act = ${act}`}
      ${record === undefined ? sql`` : sql`and record ~>=~ ${record} and record ~<~ ${`${record}${last}`}`}
      ${outcome === undefined ? sql`` : sql`and (outcome = 'done') = ${outcome === 'done'}`}
      ${from === undefined ? sql`` : sql`and at >= ${from}::timestamptz`}
      ${to === undefined ? sql`` : sql`and at < ${to}::timestamptz`}
    order by ${isOne ? sql`number ${way}` : sql`at ${way}, scope ${way}, number ${way}`} limit ${limit}`;
}
