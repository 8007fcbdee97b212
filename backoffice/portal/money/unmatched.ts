import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  type SuspenseRow,
  suspense,
  suspenseView,
} from '@tenant-payments/service/resources/suspense/table.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type {
  listUnmatchedMoney as contract,
  UnmatchedMoney,
  UnmatchedMoneyDetail,
} from '../../contract/money/suspense.ts';
import { visibleTenants } from '../../tenants/visible_tenants.ts';
import { proposalsFor, type UnmatchedRow } from './proposals.ts';

/** Records as `s`, without a condition. */
const select = sql`select ${sql.raw(columnList(suspense, 's'))}, t.name as tenant_name, t.clock_offset_ms, t.clock_at,
    array(select m.reference from bank_messages m where m.tenant_id = s.tenant_id
      and m.source_id = s.source_id and m.suspense_id = s.id and m.reference is not null
      union select b.reference where b.reference is not null order by reference) as "references",
    r.provider_id, r.sender_name, r.sender_last4, r.remittance,
    coalesce(b.source_type, i.source_type) as named_type, coalesce(b.source_id, i.source_id) as named_id
  from suspense s join tenants t on t.tenant_id = s.tenant_id
    left join received_money r on r.tenant_id = s.tenant_id and r.id = s.source_id
    left join bank_messages b on b.tenant_id = s.tenant_id and b.id = s.source_id
    left join instructions i on i.tenant_id = s.tenant_id and i.id = r.order_id`;

const receivedOf = (row: UnmatchedRow): UnmatchedMoney['received'] =>
  row.provider_id === null
    ? null
    : {
        provider_id: row.provider_id,
        sender_name: row.sender_name,
        sender_last4: row.sender_last4,
        remittance: row.remittance,
        record_id: row.named_type && row.named_id && publicId(row.named_type, row.named_id),
      };

const fieldsOf = ({ clocks }: Pick<Service, 'clocks'>, row: UnmatchedRow) => ({
  tenant_id: row.tenant_id,
  tenant_name: row.tenant_name,
  now: clocks.at(row.tenant_id, row).now,
  record: suspenseView(row),
  references: row.references,
  received: receivedOf(row),
});

/**
 * GET /portal/api/unmatched-money: what has waited longest is first (rules/money-desk#1).
 * @throws ApiError parameter_invalid for a cursor of another list
 */
export const listUnmatchedMoney =
  (service: Pick<Service, 'clocks'>) =>
  async (
    context: ReadContext,
    { limit = defaultLimit, cursor, tenant_id, status = 'held' }: QueryOf<typeof contract>,
  ): Promise<Page<UnmatchedMoney>> => {
    const behind = context.pages.after(cursor);
    const tenants = visibleTenants(context, tenant_id);
    const { rows } = await sql<UnmatchedRow>`${select}
      where s.status = ${status}
        and (${tenants}::uuid[] is null or s.tenant_id = any(${tenants}::uuid[]))
        ${behind ? sql`and (s.created_at, s.id) > (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
      order by s.created_at, s.id limit ${limit + 1}`.execute(context.db);
    return context.pages.page(rows, limit, (row) => ({
      object: 'unmatched_money',
      ...fieldsOf(service, row),
    }));
  };

/** The account that it was credited to; null: it was not. */
async function creditedAccount({ db, tenantId }: ReadContext, { id }: SuspenseRow) {
  const { rows } = await sql<{ account_id: string }>`select account_id from entries
    where tenant_id = ${tenantId} and source_id = ${id} and step = 'suspense_matched'
      and account_id is not null`.execute(db);
  const [row] = rows;
  return row ? publicId('account', row.account_id) : null;
}

/**
 * GET /portal/api/unmatched-money/{id} (rules/money-desk#2).
 * @throws ApiError not_found
 */
export const getUnmatchedMoney =
  (service: Pick<Service, 'clocks'>) =>
  async (context: ReadContext, { id }: { id: string }): Promise<UnmatchedMoneyDetail> => {
    const { db, tenantId } = context;
    const { rows } = await sql<UnmatchedRow>`${select}
      where s.tenant_id = ${tenantId} and s.id = ${uuidOf('adjustment', id)}::uuid`.execute(db);
    const [row] = rows;
    if (!row) throw fail('not_found', { param: 'id' });
    const isHeld = row.status === 'held';
    const [proposals, credited_account_id] = await Promise.all([
      isHeld ? proposalsFor(context, row) : [],
      isHeld ? null : creditedAccount(context, row),
    ]);
    return {
      object: 'unmatched_money_detail',
      ...fieldsOf(service, row),
      proposals,
      credited_account_id,
    };
  };
