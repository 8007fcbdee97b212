import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { concerns, readVolumes, totalOf } from '../resources/request_volumes.ts';
import type { Service } from '../service.ts';

const daySeconds = 24 * 3_600;
/** A series for each Tenant would be too many. */
const mostTenants = 20;

type Needs = Pick<Service, 'db' | 'clocks' | 'log' | 'meters'>;

/** Looks each night at the requests of a day (rules/request-uses#7). */
export interface RequestWatch {
  /** Tells of a Tenant whose customers refuse many requests. Never rejects. */
  watch(tenantId: string): Promise<void>;
  /** Shows the Tenants with the most requests to Prometheus. */
  show(): void;
}

export function openRequestWatch({ db, clocks, log, meters }: Needs): RequestWatch {
  let days = new Map<string, ReturnType<typeof totalOf>>();

  async function read(tenantId: string): Promise<void> {
    const facts = await db
      .selectFrom('tenants')
      .where('tenant_id', '=', tenantId)
      .select(['clock_offset_ms', 'clock_at'])
      .executeTakeFirst();
    if (!facts) return;
    const { now } = clocks.at(tenantId, facts);
    const volumes = await readVolumes(db, tenantId, addSeconds(now, -daySeconds), now);
    const total = totalOf(volumes);
    if (total.sent > 0) days.set(tenantId, total);
    const found = concerns(volumes);
    if (found.length > 0)
      log.error(
        { alarm: 'request_volume', tenant_id: tenantId, concerns: found, ...total },
        'many requests for payment of the last day were refused; ask whom they were sent to, and why',
      );
  }

  return {
    watch: (tenantId) =>
      read(tenantId).catch((error: unknown) => {
        const facts = { tenant_id: tenantId, fault: faultFacts(error) };
        log.error(facts, 'the requests of a day could not be counted');
      }),
    show() {
      const most = [...days].sort(([, one], [, other]) => other.sent - one.sent);
      meters.paymentRequests.reset();
      for (const [tenant, total] of most.slice(0, mostTenants))
        for (const [result, count] of Object.entries(total))
          meters.paymentRequests.set({ tenant, result }, count);
      days = new Map();
    },
  };
}
