import { arrayParameter } from '@tenant-payments/engine/database/binary.ts';
import {
  type ClockFacts,
  shiftedInstantSql,
  tenantNowMs,
} from '@tenant-payments/engine/time/clock.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { WebhookContext } from '../context.ts';
import { type DeliveryKind, isSame, isSameLane, keysOf } from './kinds.ts';
import type { ClaimedDelivery } from './store.ts';

/** Over so long the waiting retries are spread; what is due within it comes by itself. */
const spreadMs = 60_000;
/** Events of one endpoint that are made early at a time; the next when these have been attempted. */
const most = 1_000;
const everyMs = 5_000;

interface Waiting extends ClockFacts {
  readonly tenant_id: string;
  readonly event_id: string;
  /** The id of a further endpoint; absent for the first. */
  readonly endpoint_id?: string;
}

/** The oldest of each lane that wait for their schedule, once for each of its attempts (rules/webhooks#34). */
const waitingOf = (
  kind: DeliveryKind,
) => `select ${keysOf(kind, 'd')}, t.clock_offset_ms, t.clock_at
  from unnest($1::uuid[], $2::uuid[]) l(tenant_id, endpoint_id)
  join tenants t on t.tenant_id = l.tenant_id
  cross join lateral (select ${keysOf(kind, 'd')} from ${kind.deliveries} d
    where ${isSameLane(kind, 'd', 'l')} and d.status = 'retrying' and not d.extra and d.wake_at > $4
      and d.hastened_for is distinct from d.next_attempt_at
    order by d.event_id limit ${most}) d
  where ${kind.delivering} and t.held_at is null and t.clock_target is null
    and (t.stopped_until is null or t.stopped_until <= $3)
    and not exists (select from ${kind.deliveries} e
      where ${isSameLane(kind, 'e', 'l')} and e.status = 'retrying'
      and e.extra and e.wake_at > $3 and e.hastened_for = e.next_attempt_at)
  order by d.tenant_id, d.event_id`;

/** FOR SHARE on the tenant as in the record of a result: the offset of its clock stays until the commit. */
const hastenOf = (kind: DeliveryKind) => `with x as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[])
    x(tenant_id, event_id, endpoint_id, due_at)),
  clocks as (select tenant_id, clock_offset_ms from tenants
    where tenant_id = any($1::uuid[]) for share),
  done as (update ${kind.deliveries} d set extra = true, hastened_for = d.next_attempt_at, due_at = x.due_at,
      revision = d.revision + 1,
      wake_at = ${shiftedInstantSql('x.due_at', "- c.clock_offset_ms * interval '1 ms'")}
    from x join clocks c on c.tenant_id = x.tenant_id
    where ${isSame(kind, 'd', 'x')} and d.status = 'retrying' and not d.extra
    returning d.tenant_id)
  select tenant_id, count(*)::integer as events from done group by tenant_id`;

type Lane = Pick<ClaimedDelivery, 'tenantId' | 'endpointId'>;
const laneOf = ({ tenantId, endpointId }: Lane): string => `${tenantId} ${endpointId}`;
const laneOfRow = (row: Waiting): string =>
  laneOf({ tenantId: row.tenant_id, endpointId: row.endpoint_id ?? null });

/** Times from now on that are spread evenly, in the order of the rows of each lane. */
function spread(rows: readonly Waiting[], realMs: number): Instant[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(laneOfRow(row), (counts.get(laneOfRow(row)) ?? 0) + 1);
  const turns = new Map<string, number>();
  return rows.map((row) => {
    const turn = turns.get(laneOfRow(row)) ?? 0;
    turns.set(laneOfRow(row), turn + 1);
    const aheadMs = (turn * spreadMs) / (counts.get(laneOfRow(row)) ?? 1);
    return instantOf(tenantNowMs(row, realMs) + Math.floor(aheadMs));
  });
}

type HasteContext = Pick<WebhookContext, 'pool' | 'clocks' | 'log'>;

/** Makes the waiting retries of an endpoint early that answers again (rules/webhooks#34). */
export function openHaste({ pool, clocks, log }: HasteContext, kind: DeliveryKind) {
  const [waiting, hasten] = [waitingOf(kind), hastenOf(kind)];
  const answered = new Map<string, Lane>();
  let lookedMs = Number.NEGATIVE_INFINITY;

  async function makeEarly(rows: readonly Waiting[], realMs: number): Promise<void> {
    const column = (name: 'tenant_id' | 'event_id' | 'endpoint_id') =>
      arrayParameter(
        'uuid',
        rows.map((row) => row[name]),
      );
    const { rows: done } = await pool.query<{ tenant_id: string; events: number }>({
      name: `hasten ${kind.deliveries}`,
      text: hasten,
      values: [
        column('tenant_id'),
        column('event_id'),
        column('endpoint_id'),
        arrayParameter('timestamptz', spread(rows, realMs)),
      ],
    });
    for (const { tenant_id, events } of done)
      log.info(
        { tenant_id, events },
        'an endpoint answers again; retries that wait are made within a minute',
      );
  }

  return {
    /** An attempt at the endpoint arrived. */
    answered(lane: Lane): void {
      answered.set(laneOf(lane), lane);
    },
    /** Looks at most every five seconds, for all endpoints that have answered since. */
    async look(): Promise<void> {
      if (answered.size === 0 || performance.now() - lookedMs < everyMs) return;
      lookedMs = performance.now();
      const lanes = [...answered.values()];
      answered.clear();
      const realMs = clocks.realNow();
      const column = (name: keyof Lane) =>
        arrayParameter(
          'uuid',
          lanes.map((lane) => lane[name]),
        );
      const { rows } = await pool.query<Waiting>({
        name: `${kind.deliveries} that wait`,
        text: waiting,
        values: [
          column('tenantId'),
          column('endpointId'),
          instantOf(realMs),
          instantOf(realMs + spreadMs),
        ],
      });
      if (rows.length > 0) await makeEarly(rows, realMs);
    },
  };
}
