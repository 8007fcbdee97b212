import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type RawBuilder, sql } from 'kysely';
import {
  type listDesk as contract,
  type DeskResource,
  deskResources,
} from '../contract/operate/desk.ts';
import { ownTenant } from '../own_tenant.ts';
import type { MoveTable } from '../review/move.ts';
import { caseFields, type Desk, type DeskRow, type DeskTenant, selectCases } from './rows.ts';
import { sources } from './sources.ts';

type Query = QueryOf<typeof contract>;
type Parts = Pick<Service, 'clocks'>;

/** All Tenants with their time, or those that are asked for. A program has one alone. */
export async function tenantsOf(
  context: ReadContext,
  { clocks }: Parts,
  { tenant_id: asked, tenant: name }: Query,
): Promise<DeskTenant[]> {
  const own = ownTenant(context);
  const { rows } = await sql<Omit<DeskTenant, 'now'>>`
    select tenant_id, name, clock_offset_ms, clock_at from tenants
    where ${own === null ? sql`true` : sql`tenant_id = ${own}`}
      and ${asked === undefined ? sql`true` : sql`tenant_id::text = ${asked}`}
      and ${name === undefined ? sql`true` : sql`strpos(lower(name), lower(${name})) > 0`}`.execute(
    context.db,
  );
  return rows.map((row) => ({ ...row, now: clocks.at(row.tenant_id, row).now }));
}

type At = Position & { readonly item: object };

/**
 * The text by which cases sort: by due time, those without one last; then by how long they wait
 * (rules/review#31).
 */
const placeOf = ({ due_at, waiting_since }: DeskRow) => `${due_at ?? 'infinity'},${waiting_since}`;

/** The condition for rows behind a place: a text that sorts as the rows do. */
function behindOf(due: RawBuilder<unknown>, since: RawBuilder<unknown>, at: Position | null) {
  if (at === null) return sql``;
  const [dueAt = '', waitingSince = ''] = at.created_at.split(',');
  return sql`and (coalesce(${due}, 'infinity'), ${since}, t.id)
    > (${dueAt}::timestamptz, ${waitingSince}::timestamptz, ${at.id}::uuid)`;
}

function assignedTo({ assigned }: Query, personId: string | null) {
  if (assigned === 'nobody') return sql`and c.assigned_to is null`;
  if (assigned === 'me') return sql`and c.assigned_to = ${personId}::uuid`;
  if (assigned === 'others')
    return sql`and c.assigned_to is not null and c.assigned_to is distinct from ${personId}::uuid`;
  return sql``;
}

interface Asked {
  readonly query: Query;
  readonly behind: Position | null;
  readonly tenants: ReadonlyMap<string, DeskTenant>;
  readonly desk: Desk;
  readonly count: number;
}

/** The first cases of one resource, of all the Tenants at once. */
async function readCases(
  { db }: ReadContext,
  resource: DeskResource,
  { query, behind, tenants, desk, count }: Asked,
): Promise<At[]> {
  const { due, since: column, statuses, open, present, isRealTime } = sources[resource];
  const since = sql.ref(`t.${column}`);
  const all = [...tenants.values()];
  const ids = all.map(({ tenant_id }) => tenant_id);
  const nows = all.map(({ now }): Instant => (isRealTime ? desk.realNow : now));
  const { rows } = await sql<DeskRow>`${selectCases(resource)}
      join unnest(${ids}::uuid[], ${nows}::timestamptz[]) k(tenant_id, now)
        on k.tenant_id = t.tenant_id
    where t.tenant_id = any(${ids}::uuid[])
      and t.status in (${sql.join(statuses.map((one) => sql.lit(one)))}) and ${open(desk.realNow)}
      ${query.late === undefined ? sql`` : sql`and coalesce(${due} <= k.now, false) = ${query.late}`}
      ${assignedTo(query, desk.actor.personId)} ${behindOf(due, since, behind)}
    order by coalesce(${due}, 'infinity'), ${since}, t.id limit ${count}`.execute(db);
  return rows.flatMap((row) => {
    const tenant = tenants.get(row.tenant_id);
    if (!tenant) return [];
    const fields = caseFields(resource, row, tenant, desk);
    const record = present(row, desk.realNow);
    return [
      { created_at: placeOf(row), id: row.id, item: { object: 'desk_case', ...fields, record } },
    ];
  });
}

/** Digits sort before the letters of `infinity`. */
const firstDue = (a: Position, b: Position): number => {
  const place = ({ created_at, id }: Position) => `${created_at} ${id}`;
  return place(a) < place(b) ? -1 : 1;
};

/**
 * GET /portal/api/desk: what waits in all Tenants, what is due first at the top (rules/review#31).
 * @throws ApiError parameter_invalid for a cursor of another list
 */
export const listDesk =
  (service: Parts, table: MoveTable) =>
  async (context: ReadContext, query: Query): Promise<Page<object>> => {
    const { limit = defaultLimit, cursor, resource } = query;
    const { actor, pages } = context;
    const behind = pages.after(cursor);
    const tenants = await tenantsOf(context, service, query);
    const asked: Asked = {
      query,
      behind,
      tenants: new Map(tenants.map((tenant) => [tenant.tenant_id, tenant])),
      desk: { actor, table, realNow: instantOf(service.clocks.realNow()) },
      count: limit + 1,
    };
    const found = await Promise.all(
      (resource ? [resource] : deskResources).map((one) => readCases(context, one, asked)),
    );
    return pages.page(found.flat().sort(firstDue), limit, ({ item }) => item);
  };
