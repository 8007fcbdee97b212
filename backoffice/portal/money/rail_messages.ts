import type { ParamsOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { platformId, platformScope } from '@tenant-payments/engine/platform.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { redactedValue } from '@tenant-payments/service/http/log/redact.ts';
import { readSaid } from '@tenant-payments/service/inbound/providers/kept_messages.ts';
import * as acts from '@tenant-payments/service/inbound/providers/replay.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type RawBuilder, sql } from 'kysely';
import {
  closeRailMessage as closing,
  type listRailMessages as contract,
  type getRailMessage as one,
  type RailMessage,
  type RailMessageDetail,
  replayRailMessage as replaying,
} from '../../contract/money/rail_messages.ts';
import { nameOf } from '../../desk/notes.ts';
import { ownTenant } from '../../own_tenant.ts';
import { visibleTenants } from '../../tenants/visible_tenants.ts';

type Query = QueryOf<typeof contract>;

type Row = Omit<RailMessage, 'object' | 'tenant_id' | 'closed_by'> & {
  readonly tenant_id: string;
  readonly closed_by: string | null;
  readonly person_name: string | null;
  readonly received_at: Instant;
};

const select = sql`select m.tenant_id, m.id, t.name as tenant_name, m.provider, m.message_id, m.port, m.record,
    m.state, m.result, m.received_at, m.acted_at, m.replays, m.closed_at, m.closed_by, m.close_reason,
    p.name as person_name
  from rail_messages m left join tenants t on t.tenant_id = m.tenant_id
    left join control.people p on m.closed_by = 'person ' || p.id`;

const inState: Readonly<Record<NonNullable<Query['state']>, RawBuilder<unknown>>> = {
  open: sql`m.state in ('parked', 'refused') and m.closed_at is null`,
  closed: sql`m.state in ('parked', 'refused') and m.closed_at is not null`,
  received: sql`m.state = 'received'`,
};

const view = ({ person_name, closed_by, ...row }: Row) => ({
  ...row,
  tenant_id: row.tenant_id === platformId ? null : row.tenant_id,
  closed_by: closed_by === null ? null : nameOf(closed_by, person_name),
});

/** GET /portal/api/rail-messages: what came first is first (rules/rails#16). */
export async function listRailMessages(
  context: ReadContext,
  { limit = defaultLimit, cursor, tenant_id, provider, state = 'open' }: Query,
): Promise<Page<RailMessage>> {
  const behind = context.pages.after(cursor);
  const tenants = visibleTenants(context, tenant_id);
  const { rows } = await sql<Row>`${select} where ${inState[state]}
      and (${tenants}::uuid[] is null or m.tenant_id = any(${tenants}::uuid[]))
      ${provider === undefined ? sql`` : sql`and m.provider = ${provider}`}
      ${behind ? sql`and (m.received_at, m.id) > (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
    order by m.received_at, m.id limit ${limit + 1}`.execute(context.db);
  return context.pages.page(
    rows.map((row) => ({ ...row, created_at: row.received_at })),
    limit,
    ({ created_at: _, ...row }) => ({ object: 'rail_message', ...view(row) }),
  );
}

type Named = ParamsOf<typeof one>;

/** The Tenant that a message is kept for. @throws ApiError not_found */
function ownerOf(context: ReadContext, { tenant_id, id }: Named): string {
  const tenantId = tenant_id === platformScope ? platformId : tenant_id;
  const own = ownTenant(context);
  if (!isUuid(tenantId) || !isUuid(id) || tenantId !== (own ?? tenantId))
    throw fail('not_found', { param: 'id' });
  return tenantId;
}

async function read(cell: Service, tenantId: string, id: string): Promise<RailMessageDetail> {
  const { rows } = await sql<Row>`${select}
    where m.tenant_id = ${tenantId} and m.id = ${id}`.execute(cell.db);
  const [row] = rows;
  if (!row) throw fail('not_found', { param: 'id' });
  const found = await readSaid(cell, tenantId, id).catch((error: { code?: unknown }) => {
    if (error.code !== 'invalid_state') throw error;
    return null;
  });
  const said = found && (redactedValue(found.said.receipt.fact, true) as object);
  return {
    object: 'rail_message_detail',
    ...view(row),
    said: said as RailMessageDetail['said'],
  };
}

/** GET /portal/api/rail-messages/{tenant_id}/{id} @throws ApiError not_found */
export const getRailMessage = (service: Service) => async (context: ReadContext, named: Named) => {
  const tenantId = ownerOf(context, named);
  return read(await acts.cellOfMessage(service, tenantId), tenantId, named.id);
};

/**
 * POST /portal/api/rail-messages/{tenant_id}/{id}/replay (rules/rails#17)
 * @throws ApiError not_found, invalid_state
 */
export const replayRailMessage =
  (service: Service) => async (context: ReadContext, named: Named) => {
    const tenantId = ownerOf(context, named);
    const { id } = named;
    const cell = await acts.cellOfMessage(service, tenantId);
    const { actor } = context;
    const act = { act: replaying.id, record: id, scope: platformScope };
    const input = { id, tenantId };
    await cell.engine.submit(acts.replayRailMessage(cell), { tenantId, actor, act, input });
    return read(cell, tenantId, id);
  };

/**
 * POST /portal/api/rail-messages/{tenant_id}/{id}/close (rules/rails#17)
 * @throws ApiError not_found, invalid_state
 */
export const closeRailMessage =
  (service: Service) =>
  async (context: ReadContext, { reason, ...named }: Named & { readonly reason: string }) => {
    const tenantId = ownerOf(context, named);
    const { id } = named;
    const cell = await acts.cellOfMessage(service, tenantId);
    const { actor } = context;
    const act = { act: closing.id, record: id, scope: platformScope };
    const at = new Date(cell.clocks.realNow()).toISOString();
    const input = { id, reason, at };
    await cell.engine.submit(acts.closeRailMessage, { tenantId, actor, act, input });
    return read(cell, tenantId, id);
  };
