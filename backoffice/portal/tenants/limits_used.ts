import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { LimitKey } from '@tenant-payments/contract/core/setting_facts.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { firstIdAt } from '@tenant-payments/engine/new_id.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { easternDay, startOfDay } from '@tenant-payments/service/resources/limits/days.ts';
import { sql } from 'kysely';
import { approvalCap } from '../../contract/operate/approvals.ts';
import type { TenantDetail } from '../../contract/operate/tenant_figures.ts';

/** How much of a Tenant's limits is used today (rules/tenants#10). */

type Db = ReadContext['db'];
type Used = TenantDetail['limits_used'];

/** The customers who have made such a record today, by the primary key: counters have no index by their day. */
const makers = {
  load_daily: sql`select distinct customer_id as id from loads`,
  payment_daily: sql`select distinct payer_customer_id as id from payments`,
  withdrawal_daily: sql`select distinct customer_id as id from withdrawals`,
} as const satisfies Partial<Record<LimitKey, unknown>>;
type Daily = keyof typeof makers;
const daily = Object.keys(makers) as Daily[];

interface Highest {
  readonly type: 'individual' | 'business';
  readonly customer_id: string;
  readonly used: number;
}

/** The customer of each type who has used most. */
async function highest(db: Db, id: string, limit: Daily, now: Instant): Promise<Highest[]> {
  const day = easternDay(now);
  const { rows } = await sql<Highest>`
    select distinct on (c.type) c.type, l.customer_id, l.used
    from (${makers[limit]}
        where tenant_id = ${id} and id >= ${firstIdAt(startOfDay(day))}) made
      join limit_counters l on l.tenant_id = ${id} and l.customer_id = made.id
        and l.kind = ${limit} and l.period = ${day}
      join customers c on c.tenant_id = ${id} and c.id = made.id
    where l.used > 0 order by c.type, l.used desc, l.customer_id`.execute(db);
  return rows;
}

async function ofCustomers(db: Db, id: string, limits: Settings['limits'], now: Instant) {
  const found = await Promise.all(
    daily.map(async (limit) =>
      (await highest(db, id, limit, now)).map(({ type, customer_id, used }) => ({
        limit,
        customer_type: type,
        customer_id: publicId('customer', customer_id),
        used,
        maximum: limits[limit][type],
      })),
    ),
  );
  return found.flat();
}

/** @param now on the Tenant's clock */
export async function limitsUsed(
  db: Db,
  id: string,
  limits: Settings['limits'],
  now: Instant,
): Promise<Used> {
  const day = easternDay(now);
  const [customers, sums] = await Promise.all([
    ofCustomers(db, id, limits, now),
    sql<{ approved: number }>`
      select approved from approval_sums where tenant_id = ${id} and day = ${day}`.execute(db),
  ]);
  return {
    day,
    approvals: { used: sums.rows[0]?.approved ?? 0, maximum: approvalCap },
    customers,
  };
}
