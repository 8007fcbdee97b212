import { deliveryOffsetsSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { type DeliveryKind, deliveryKinds, isSame } from '../../webhooks/dispatch/kinds.ts';
import type { Check } from '../check.ts';

const wins = 'between 200 and 299';
const offsets = deliveryOffsetsSeconds.join(', ');
/** The clocks of the machines agree within so much. */
const skew = `interval '5 seconds'`;

const nameOf = (kind: DeliveryKind, one: string): string =>
  kind.name === 'first' ? `14.${one}` : `14.further_${one}`;

/** Deliveries of a kind show their attempts (rules/invariants#14). */
function checksOfAttempts(kind: DeliveryKind): readonly Check[] {
  const { deliveries, attempts } = kind;
  const keys = kind.keys.join(', ');
  const last = `${attempts} a on ${isSame(kind, 'a', 'd')} and a.number = d.attempts`;
  return [
    {
      name: nameOf(kind, 'attempts'),
      clause: 'a delivery counts its attempts, which are numbered 1..n',
      sql: `select d.tenant_id, 'event' as kind, d.event_id as id,
        format('%s counted, %s written, numbers %s to %s', d.attempts, coalesce(a.written, 0), a.first,
          a.last) as message
      from ${deliveries} d left join (select ${keys}, count(*) as written,
        min(number) as first, max(number) as last from ${attempts} group by ${keys}) a
        on ${isSame(kind, 'a', 'd')}
      where d.attempts <> coalesce(a.written, 0) or a.first <> 1 or a.last <> a.written`,
    },
    {
      name: nameOf(kind, 'delivered'),
      clause: 'delivered => the last attempt got 2xx; retrying or failed => it did not',
      sql: `select d.tenant_id, 'event' as kind, d.event_id as id, format('%s after %s', d.status,
        coalesce(a.response_status::text, a.error, 'no attempt')) as message
      from ${deliveries} d left join ${last}
      where case d.status when 'delivered' then coalesce(a.response_status, 0) not ${wins}
        when 'pending' then false else coalesce(a.response_status, 0) ${wins} end`,
    },
    {
      name: nameOf(kind, 'last_attempt'),
      clause: 'a delivery shows its last attempt',
      sql: `select d.tenant_id, 'event' as kind, d.event_id as id,
        format('shows %s at %s', d.last_response_status, d.last_attempt_at) as message
      from ${deliveries} d left join ${last}
      where d.last_response_status is distinct from a.response_status
        or (d.last_attempt_at is null) <> (a.number is null)`,
    },
    {
      name: nameOf(kind, 'forward'),
      clause: 'attempts begin in the order of their numbers',
      sql: `select tenant_id, 'event' as kind, event_id as id,
        format('attempt %s at %s, the one before at %s', number, at, before) as message
      from (select tenant_id, event_id, number, at, lag(at) over (partition by ${keys} order by number) as before
        from ${attempts}) a
      where at < before - ${skew}`,
    },
  ];
}

/** They follow their schedule. */
function checksOfSchedule(kind: DeliveryKind): readonly Check[] {
  const { deliveries, attempts } = kind;
  return [
    {
      name: nameOf(kind, 'next_attempt'),
      clause: 'retrying <=> next_attempt_at; delivered or failed => no attempt is waiting',
      sql: `select tenant_id, 'event' as kind, event_id as id,
        format('%s, next at %s, due at %s', status, next_attempt_at, due_at) as message
      from ${deliveries} where (status = 'retrying') <> (next_attempt_at is not null)
        or (due_at is null) <> (wake_at is null)
        or (status in ('delivered', 'failed') and due_at is not null)
        or (status = 'retrying' and due_at is null)
        or status not in ('pending', 'delivered', 'retrying', 'failed')`,
    },
    {
      name: nameOf(kind, 'schedule'),
      clause:
        'a retry is due at an offset from the first attempt, so 72 hours after it at the latest',
      sql: `select d.tenant_id, 'event' as kind, d.event_id as id,
        format('first at %s, next at %s, due at %s', d.first_attempt_at, d.next_attempt_at, d.due_at)
          as message
      from ${deliveries} d where (d.status in ('retrying', 'failed') and d.attempts > 0
          and d.first_attempt_at is null)
        or (d.next_attempt_at is not null and (d.due_at > d.next_attempt_at
          or coalesce(extract(epoch from d.next_attempt_at - d.first_attempt_at), -1)
            not in (${offsets})))
        or (d.first_attempt_at is not null and not exists (select from ${attempts} a
          where ${isSame(kind, 'a', 'd')} and a.at = d.first_attempt_at))`,
    },
  ];
}

export const webhooksChecks: readonly Check[] = [
  ...Object.values(deliveryKinds).flatMap((kind) => [
    ...checksOfAttempts(kind),
    ...checksOfSchedule(kind),
  ]),
  {
    name: '14.delivers_to',
    clause: 'new events go to the further endpoints that are enabled, by their types',
    sql: `select t.tenant_id, 'tenant' as kind, t.tenant_id as id,
        format('delivers to %s, enabled are %s', t.delivers_to, e.enabled) as message
      from tenants t left join (select tenant_id,
          jsonb_object_agg(id, coalesce(to_jsonb(types), 'null')) as enabled
        from further_endpoints where enabled and deleted_at is null group by tenant_id) e
        on e.tenant_id = t.tenant_id
      where e.enabled is distinct from (select jsonb_object_agg(x ->> 'endpoint_id', x -> 'types')
        from jsonb_array_elements(t.delivers_to) x)`,
  },
];
