import { cells } from '@tenant-payments/engine/database/binary.ts';
import { type ClockFacts, moved, tenantNowMs } from '@tenant-payments/engine/time/clock.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { WebhookContext } from '../context.ts';

/** Over so long the waiting retries are spread; what is due within it comes by itself. */
const spreadMs = 60_000;
/** Events of one Tenant that are made early at a time; the next when these have been attempted. */
const most = 1_000;
const everyMs = 5_000;

interface Waiting extends ClockFacts {
  readonly tenant_id: string;
  readonly event_id: string;
}

/** The oldest that wait for their schedule, once for each of its attempts (rules/webhooks#34). */
const waitingOf = `select d.tenant_id, d.event_id, t.clock_offset_ms, t.clock_at
  from tenants t cross join lateral (select d.tenant_id, d.event_id from deliveries d
    where d.tenant_id = t.tenant_id and d.status = 'retrying' and not d.extra and d.wake_at > $3
      and d.hastened_for is distinct from d.next_attempt_at
    order by d.event_id limit ${most}) d
  where t.tenant_id = any($1::uuid[]) and t.delivers and t.held_at is null and t.clock_target is null
    and (t.stopped_until is null or t.stopped_until <= $2)
    and not exists (select from deliveries e where e.tenant_id = t.tenant_id and e.status = 'retrying'
      and e.extra and e.wake_at > $2 and e.hastened_for = e.next_attempt_at)
  order by d.tenant_id, d.event_id`;

/** FOR SHARE on the tenant as in the record of a result: the offset of its clock stays until the commit. */
const hasten = `with x as (select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
    x(tenant_id, event_id, due_at)),
  clocks as (select tenant_id, clock_offset_ms from tenants
    where tenant_id = any($1::uuid[]) for share),
  done as (update deliveries d set extra = true, hastened_for = d.next_attempt_at, due_at = x.due_at,
      revision = d.revision + 1,
      wake_at = ${moved('x.due_at', "- c.clock_offset_ms * interval '1 ms'")}
    from x join clocks c on c.tenant_id = x.tenant_id
    where d.tenant_id = x.tenant_id and d.event_id = x.event_id and d.status = 'retrying'
      and not d.extra
    returning d.tenant_id)
  select tenant_id, count(*)::integer as events from done group by tenant_id`;

/** Times from now on that are spread evenly, in the order of the rows of each Tenant. */
function spread(rows: readonly Waiting[], realMs: number): Instant[] {
  const counts = new Map<string, number>();
  for (const { tenant_id } of rows) counts.set(tenant_id, (counts.get(tenant_id) ?? 0) + 1);
  const turns = new Map<string, number>();
  return rows.map((row) => {
    const turn = turns.get(row.tenant_id) ?? 0;
    turns.set(row.tenant_id, turn + 1);
    const aheadMs = (turn * spreadMs) / (counts.get(row.tenant_id) ?? 1);
    return instantOf(tenantNowMs(row, realMs) + Math.floor(aheadMs));
  });
}

/** Makes the waiting retries of an endpoint early that answers again (rules/webhooks#34). */
export function openHaste({ pool, clocks, log }: Pick<WebhookContext, 'pool' | 'clocks' | 'log'>) {
  const answered = new Set<string>();
  let lookedMs = Number.NEGATIVE_INFINITY;

  return {
    /** An attempt of the Tenant arrived. */
    answered(tenantId: string): void {
      answered.add(tenantId);
    },
    /** Looks at most every five seconds, for all Tenants whose endpoint has answered since. */
    async look(): Promise<void> {
      if (answered.size === 0 || performance.now() - lookedMs < everyMs) return;
      lookedMs = performance.now();
      const tenants = cells('uuid', [...answered]);
      answered.clear();
      const realMs = clocks.realNow();
      const times = [instantOf(realMs), instantOf(realMs + spreadMs)];
      const { rows } = await pool.query<Waiting>({
        name: 'retries that wait',
        text: waitingOf,
        values: [tenants, ...times],
      });
      if (rows.length === 0) return;
      const column = (name: 'tenant_id' | 'event_id') =>
        cells(
          'uuid',
          rows.map((row) => row[name]),
        );
      const values = [
        column('tenant_id'),
        column('event_id'),
        cells('timestamptz', spread(rows, realMs)),
      ];
      const done = await pool.query<{ tenant_id: string; events: number }>({
        name: 'hasten retries',
        text: hasten,
        values,
      });
      for (const { tenant_id, events } of done.rows)
        log.info(
          { tenant_id, events },
          'an endpoint answers again; retries that wait are made within a minute',
        );
    },
  };
}
