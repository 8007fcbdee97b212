import { fail } from '@tenant-payments/engine/fail.ts';
import { firstIdAt } from '@tenant-payments/engine/new_id.ts';
import { type SettingsRow, settingsOf } from '@tenant-payments/engine/settings.ts';
import { tenantNowMs } from '@tenant-payments/engine/time/clock.ts';
import { addSeconds, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { readLacking } from '@tenant-payments/service/resources/customers/documents/live.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { TenantDetail } from '../../contract/operate/tenant_figures.ts';
import { ownTenant } from '../../own_tenant.ts';
import { countWaiting } from '../../review/queue.ts';
import { figuresOfAll, type TenantRow, tenantColumns } from './figures.ts';
import { limitsUsed } from './limits_used.ts';

type Db = ReadContext['db'];
type Row = TenantRow & SettingsRow & Pick<TenantDetail, 'suspended_reason'>;
type Counts = Pick<TenantDetail, 'customers' | 'open_disputes' | 'active_credentials'>;

const daySeconds = 86_400;

/** @throws ApiError not_found: also another Tenant than that of a sandbox's program */
async function find(context: ReadContext, id: string): Promise<Row> {
  const own = ownTenant(context) ?? id;
  const { rows } = await sql<Row>`select ${tenantColumns}, suspended_reason, settings
    from tenants where tenant_id::text = ${id} and tenant_id::text = ${own}`.execute(context.db);
  const [row] = rows;
  if (!row) throw fail('not_found', { param: 'id' });
  return row;
}

async function countsOf(db: Db, id: string): Promise<Counts> {
  const { rows } = await sql<Counts>`select
    (select count(*) from customers where tenant_id = ${id}) as customers,
    (select count(*) from disputes where tenant_id = ${id}
      and status in ('received', 'investigating', 'provisional_credit')) as open_disputes,
    (select count(*) from client_secrets where tenant_id = ${id} and retired_at is null
      and expires_at is null)
      as active_credentials`.execute(db);
  return rows[0] ?? { customers: 0, open_disputes: 0, active_credentials: 0 };
}

async function busiestMinute(db: Db, id: string, realNow: Instant): Promise<number> {
  const from = addSeconds(realNow, -daySeconds);
  const { rows } = await sql<{ requests: number }>`
    select count(*) as requests from requests
    where tenant_id = ${id} and id >= ${firstIdAt(from)} and at >= ${from}
    group by date_trunc('minute', at) order by 1 desc limit 1`.execute(db);
  return rows[0]?.requests ?? 0;
}

/** The request log is a moment behind. */
async function lastMinute(db: Db, id: string, realNow: Instant): Promise<number> {
  const from = addSeconds(realNow, -60);
  const { rows } = await sql<{ requests: number }>`select count(*) as requests from requests
    where tenant_id = ${id} and id >= ${firstIdAt(from)} and at >= ${from}`.execute(db);
  return rows[0]?.requests ?? 0;
}

async function ownersOf(db: Db, id: string): Promise<TenantDetail['owners']> {
  const { rows } = await sql<TenantDetail['owners'][number]>`
    select p.id, p.name, p.email from control.roles r join control.people p on p.id = r.person_id
    where r.scope = ${id} and r.role = 'owner' and p.disabled_at is null
    order by p.name, p.id`.execute(db);
  return rows;
}

/**
 * GET /portal/api/tenants/{id} (rules/tenants#3)
 * @throws ApiError not_found
 */
export const getTenant =
  (service: Pick<Service, 'clocks' | 'environment'>) =>
  async (context: ReadContext, { id }: { readonly id: string }): Promise<TenantDetail> => {
    const { db } = context;
    const row = await find(context, id);
    const { limits, rate_limit_per_minute: limit } = settingsOf(row.id, row);
    const realNow = instantOf(service.clocks.realNow());
    const now = instantOf(tenantNowMs(row, service.clocks.realNow()));
    const [figures, counts, waiting, busiest_minute, last_minute, owners, limits_used, lacks] =
      await Promise.all([
        figuresOfAll(service, db, [row]),
        countsOf(db, row.id),
        countWaiting(db, row.id),
        busiestMinute(db, row.id, realNow),
        lastMinute(db, row.id, realNow),
        ownersOf(db, row.id),
        limitsUsed(db, row.id, limits, now),
        readLacking({ db, environment: service.environment }, row.id),
      ]);
    const shown = figures.get(row.id);
    if (!shown) throw new Error('a Tenant that was found has figures');
    return {
      ...shown,
      suspended_reason: row.suspended_reason,
      ...counts,
      waiting,
      lacks,
      rate: { limit, busiest_minute, last_minute },
      limits_used,
      owners,
    };
  };
