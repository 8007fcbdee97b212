import { mayCall } from '@tenant-payments/contract/core/roles.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { firstDeadline } from '@tenant-payments/service/resources/disputes/first_deadline.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { lapsedBy } from '../../approvals/lapsed.ts';
import type { DeskSummary, PlatformAttention } from '../../contract/operate/attention.ts';
import { tenantsOf } from '../../desk/list.ts';
import { getDeskSummary } from '../../desk/summary.ts';
import { ownTenant } from '../../own_tenant.ts';
import { countAlarms } from '../operations/alarms.ts';
import { getOperations } from '../operations/operations.ts';
import { countUpTo, itemOf } from './count.ts';

type Parts = Pick<Service, 'clocks' | 'peers'>;

/** The time for which counts that all of the staff share are kept, however many of them look. */
const cachedMs = 5_000;
const maximumCached = 100;

/** Disputes of all Tenants that have missed a deadline, as their board says (rules/disputes#44). */
async function lateDisputes(context: ReadContext, { peers }: Parts): Promise<number> {
  const counts = await Promise.all(
    peers.all().map(async ({ db, clocks }) => {
      const tenants = await tenantsOf({ ...context, db }, { clocks }, {});
      const ids = tenants.map(({ tenant_id }) => tenant_id);
      const nows = tenants.map(({ now }) => now);
      return countUpTo(
        { db },
        sql`select from disputes d join unnest(${ids}::uuid[], ${nows}::timestamptz[])
            k(tenant_id, now) on k.tenant_id = d.tenant_id
        where d.tenant_id = any(${ids}::uuid[]) and d.status <> 'closed'
          and ${firstDeadline('d')} < k.now`,
      );
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * The condition that the caller is another person: nobody decides on the own request, or twice on
 * one.
 */
const ofOthers = ({ actor }: ReadContext, person: string): RawBuilder<unknown> =>
  sql`${sql.ref(person)} is distinct from ${actor.personId}`;

const waits = (realNow: Instant) =>
  sql`t.status = 'waiting' and t.lapses_at > ${realNow} and ${lapsedBy} is null`;

/** Requests of all Tenants that this person may decide. */
async function approvals(context: ReadContext, { peers }: Parts, realNow: Instant) {
  const own = ownTenant(context);
  const counts = await Promise.all(
    peers.all().map(({ db }) =>
      countUpTo(
        { db },
        sql`select from approvals t where ${waits(realNow)}
          and (${own}::uuid is null or t.tenant_id = ${own}::uuid)
          and ${ofOthers(context, 't.maker_person')} and ${ofOthers(context, 't.first_person')}`,
      ),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Requests to the platform that this admin may decide. */
const requests = (context: ReadContext, realNow: Instant): Promise<number> => {
  const own = ownTenant(context);
  return countUpTo(
    context,
    sql`select from (select status, lapses_at, maker_person, resource, move, record_id, null as first_person,
          null::timestamptz as first_approved_at
        from control.approvals) t
      where ${waits(realNow)} and (${own}::text is null or t.record_id = ${own}::text)
        and ${ofOthers(context, 't.maker_person')}
        and (t.resource <> 'staff' or t.record_id is distinct from ${context.actor.personId})`,
  );
};

const countOf = (
  { kinds }: DeskSummary,
  by: 'waiting' | 'late',
  without: DeskSummary['kinds'][number]['resource'],
): number =>
  kinds.filter(({ resource }) => resource !== without).reduce((sum, kind) => sum + kind[by], 0);

/** The counts that take long, the same for everybody who sees the same Tenants. */
function openShared(service: Parts) {
  const read = async (context: ReadContext) => {
    const [operations, summary] = await Promise.all([
      getOperations(service)(context),
      getDeskSummary(service)(context),
    ]);
    return { worries: operations.worries.length, summary };
  };
  const cache = new LRUCache<string, ReturnType<typeof read>>({
    ...atMost(maximumCached),
    ttl: cachedMs,
  });
  return (context: ReadContext) => {
    const key = ownTenant(context) ?? '';
    const before = cache.get(key);
    if (before) return before;
    const made = read(context);
    cache.set(key, made);
    made.catch(() => cache.delete(key));
    return made;
  };
}

/** GET /portal/api/platform-attention (rules/operations#94): the same figures on every page of the console. */
export function openPlatformAttention(service: Parts) {
  const shared = openShared(service);
  return async (context: ReadContext): Promise<PlatformAttention> => {
    const realNow = instantOf(service.clocks.realNow());
    const isReviewer = mayCall(['reviewer'], context.actor.roles);
    const [{ worries, summary }, late, alarms, forApproval, asked] = await Promise.all([
      shared(context),
      lateDisputes(context, service),
      countAlarms(context),
      isReviewer ? approvals(context, service, realNow) : 0,
      mayCall(['admin'], context.actor.roles) ? requests(context, realNow) : 0,
    ]);
    return {
      object: 'platform_attention',
      items: [
        ...itemOf('disputes_late', late, true),
        ...itemOf('cases_late', isReviewer ? countOf(summary, 'late', 'disputes') : 0, true),
        ...itemOf('worries', worries, true),
        ...itemOf('alarms', alarms.open, true),
        ...itemOf('cases', isReviewer ? countOf(summary, 'waiting', 'approvals') : 0, false),
        ...itemOf('approvals', forApproval, false),
        ...itemOf('requests', asked, false),
      ],
    };
  };
}
