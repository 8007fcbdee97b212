import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { concerns, readVolumes, totalOf } from '../resources/request_volumes.ts';
import type { Service } from '../service.ts';

const daySeconds = 24 * 3_600;

type Needs = Pick<Service, 'db' | 'clocks' | 'log'>;

/** Each night: tells of a Tenant whose customers refuse many requests (rules/request-uses#7). */
export async function watchRequests({ db, clocks, log }: Needs, tenantId: string): Promise<void> {
  const facts = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .select(['clock_offset_ms', 'clock_at'])
    .executeTakeFirst();
  if (!facts) return;
  const { now } = clocks.at(tenantId, facts);
  const volumes = await readVolumes(db, tenantId, addSeconds(now, -daySeconds), now);
  const found = concerns(volumes);
  if (found.length > 0)
    log.error(
      { alarm: 'request_volume', tenant_id: tenantId, concerns: found, ...totalOf(volumes) },
      'many requests for payment of the last day were refused; ask whom they were sent to, and why',
    );
}
