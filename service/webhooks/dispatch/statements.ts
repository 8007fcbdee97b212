import { realTimeOfClock, shiftedInstantSql } from '@tenant-payments/engine/time/clock.ts';
import { type DeliveryKind, isSame, keysOf } from './kinds.ts';

/** The statements of the dispatcher on the tables of a kind of deliveries. */

const stateColumns = `d.status, d.attempts, d.first_attempt_at, d.last_attempt_at,
  d.last_response_status, d.next_attempt_at, d.due_at, d.extra`;

/** The first four parameters: the deliveries by their keys; a first endpoint has no id. */
const named = '$1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]';
const names = 'tenant_id, event_id, endpoint_id, lease';

/** No event of it is held after a restore (rules/restore#10). */
const deliversNow = 't.held_at is null';

function claims(kind: DeliveryKind) {
  const { deliveries, joins, lane } = kind;
  const keys = keysOf(kind, 'd');
  const claimed = (picked: string) => `with picked as (${picked} for update of d skip locked),
  claimed as (update ${deliveries} d set lease_until = $2 from picked p
    where ${isSame(kind, 'd', 'p')} returning ${keys}, d.lease_until, d.revision,
      d.created_at, d.wake_at, ${stateColumns})
  select ${keys}, d.lease_until, d.revision, d.created_at, ${stateColumns},
    e.created_at as made_at, e.object_id, e.body, e.trace, w.url, s.secret_id, t.clock_offset_ms, t.clock_at
  from claimed d join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
  join tenants t on t.tenant_id = d.tenant_id
  ${joins}
  order by d.wake_at, d.event_id`;
  return {
    /**
     * Deliveries of all Tenants except those whose clock is being advanced, or that are being moved, and of lanes that
     * are not full.
     */
    claim: claimed(`select ${keys} from ${deliveries} d
  join tenants t on t.tenant_id = d.tenant_id
  where d.wake_at <= $1 and (d.lease_until is null or d.lease_until <= $1)
    and t.clock_target is null and (t.stopped_until is null or t.stopped_until <= $1)
    and d.${lane} <> all($4::uuid[]) and ${deliversNow}
  order by d.wake_at limit $3`),
    /** Deliveries of one Tenant, also while its clock is being advanced. */
    claimOf: claimed(`select ${keys} from tenants t
  join ${deliveries} d on d.tenant_id = t.tenant_id
  where t.tenant_id = $4 and d.wake_at <= ${realTimeOfClock} and ${deliversNow}
    and (d.lease_until is null or d.lease_until <= $1)
  order by d.wake_at, d.event_id limit $3`),
  };
}

/**
 * Results are written where the lease still holds and the row is unchanged. FOR SHARE on the tenant:
 * no wake time is computed from a clock offset that an advance changes meanwhile.
 */
function recordOf(kind: DeliveryKind): string {
  const { deliveries, attempts, keys } = kind;
  const listed = keys.join(', ');
  return `with x as (select * from unnest(${named},
    $5::integer[], $6::text[], $7::integer[], $8::timestamptz[], $9::timestamptz[], $10::integer[],
    $11::timestamptz[], $12::timestamptz[], $13::boolean[], $14::timestamptz[], $15::text[],
    $16::text[], $17::integer[], $18::text[], $19::text[], $20::integer[], $21::text[])
    x(${names}, revision, status, attempts, first_attempt_at, last_attempt_at,
      last_response_status, next_attempt_at, due_at, extra, at, url, request_headers,
      response_status, response_headers, response_body, duration_ms, error)),
  clocks as (select tenant_id, clock_offset_ms from tenants
    where tenant_id = any($1::uuid[]) for share),
  done as (update ${deliveries} d set status = x.status, attempts = x.attempts,
      first_attempt_at = x.first_attempt_at, last_attempt_at = x.last_attempt_at,
      last_response_status = x.last_response_status, next_attempt_at = x.next_attempt_at,
      due_at = x.due_at, extra = x.extra, lease_until = null, revision = d.revision + 1,
      wake_at = ${shiftedInstantSql('x.due_at', "- c.clock_offset_ms * interval '1 ms'")}
    from x join clocks c on c.tenant_id = x.tenant_id
    where ${isSame(kind, 'd', 'x')} and d.lease_until = x.lease and d.revision = x.revision
    returning ${keysOf(kind, 'd')}),
  written as (insert into ${attempts} (${listed}, number, at, url, request_headers,
      response_status, response_headers, response_body, duration_ms, error)
    select ${keysOf(kind, 'x')}, x.attempts, x.at, x.url, x.request_headers, x.response_status,
      x.response_headers, x.response_body, x.duration_ms, x.error
    from x join done using (${listed}) where x.at is not null)
  select ${listed} from done`;
}

/** All of one kind. */
export const statementsOf = (kind: DeliveryKind) => ({
  ...claims(kind),
  record: recordOf(kind),
  reload: `select ${keysOf(kind, 'd')}, d.revision, ${stateColumns}
  from unnest(${named}) x(${names})
  join ${kind.deliveries} d on ${isSame(kind, 'd', 'x')} and d.lease_until = x.lease`,
  giveBack: `update ${kind.deliveries} d set lease_until = null, revision = d.revision + 1,
    wake_at = coalesce(x.wake_at, d.wake_at)
  from unnest(${named}, $5::timestamptz[]) x(${names}, wake_at)
  where ${isSame(kind, 'd', 'x')} and d.lease_until = x.lease`,
});
