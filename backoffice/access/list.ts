import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { timesIn } from '@tenant-payments/engine/time/query_times.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type {
  AccessRecord,
  listAccessRecords as contract,
} from '../contract/operate/access_records.ts';

type Row = Omit<AccessRecord, 'object'>;

/**
 * GET /portal/api/access-records (rules/audit#20).
 * @throws ApiError parameter_invalid for a cursor of another list
 */
export async function listAccessRecords(
  { db, tenantId, pages }: ReadContext,
  { limit = defaultLimit, cursor, person_id, record, acted_as, ...query }: QueryOf<typeof contract>,
): Promise<Page<AccessRecord>> {
  const { from, to } = timesIn(query);
  const behind = pages.after(cursor);
  const { rows } = await sql<Row>`
    select r.id, r.at, r.acted_as, r.person_id, p.email, r.api_key_id, r.kind, r.record, r.address,
      r.request_id
    from control.access_records r left join control.people p on p.id = r.person_id
    where r.scope = ${tenantId}
      ${behind === null ? sql`` : sql`and (r.at, r.id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)`}
      ${person_id === undefined ? sql`` : sql`and r.person_id::text = ${person_id}`}
      ${record === undefined ? sql`` : sql`and (r.record = ${record} or starts_with(r.record, ${`${record}/`}))`}
      ${acted_as === undefined ? sql`` : sql`and r.acted_as = ${acted_as}`}
      ${from === null ? sql`` : sql`and r.at >= ${from}::timestamptz`}
      ${to === null ? sql`` : sql`and r.at < ${to}::timestamptz`}
    order by r.at desc, r.id desc limit ${limit + 1}`.execute(db);
  const placed = rows.map((row) => ({ id: row.id, created_at: row.at, row }));
  return pages.page(placed, limit, ({ row }) => ({ object: 'access_record', ...row }));
}
