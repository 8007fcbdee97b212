import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { wayOf } from '@tenant-payments/service/resources/found_page.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type {
  listTenants as contract,
  TenantFigures,
} from '../../contract/operate/tenant_figures.ts';
import { ownTenant } from '../../own_tenant.ts';
import { figuresOfAll, type TenantRow, tenantColumns } from './figures.ts';

type Query = QueryOf<typeof contract>;

const nothing = sql``;

function having(status: Query['status']) {
  if (status === undefined) return nothing;
  return status === 'active' ? sql`and suspended_at is null` : sql`and suspended_at is not null`;
}

/** Text in any case within the name; of an id, the whole. */
const named = (q: string) =>
  sql`and (strpos(lower(name), lower(${q})) > 0 or tenant_id::text = lower(${q}))`;

/** The Tenants of these ids; an id that is none is left out. */
const listed = (ids: string) =>
  sql`and tenant_id = any(${ids.split(',').filter(isUuid).slice(0, maximumFaces)}::uuid[])`;

/**
 * GET /portal/api/tenants: newest first or turned around (rules/tenants#1). A sandbox's program sees its own alone.
 * @throws ApiError parameter_invalid for a cursor of another list or filter
 */
export const listTenants =
  (service: Pick<Service, 'clocks'>) =>
  async (context: ReadContext, query: Query): Promise<Page<TenantFigures>> => {
    const { q, ids, status, order, limit = defaultLimit, cursor } = query;
    const { db, pages } = context;
    const own = ownTenant(context);
    const behind = pages.after(cursor);
    const [beyond, way] = wayOf(order);
    const { rows } = await sql<TenantRow>`
      select ${tenantColumns} from tenants where true
        ${own === null ? nothing : sql`and tenant_id = ${own}`}
        ${q === undefined ? nothing : named(q)} ${ids === undefined ? nothing : listed(ids)}
        ${having(status)}
        ${behind ? sql`and (created_at, tenant_id) ${beyond} (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : nothing}
      order by created_at ${way}, tenant_id ${way} limit ${limit + 1}`.execute(db);
    const figures = await figuresOfAll(service, db, rows.slice(0, limit));
    return pages.page(rows, limit, ({ id }) => {
      const shown = figures.get(id);
      if (!shown) throw new Error('every row of the page is shown');
      return shown;
    });
  };
