import type { Check } from '../check.ts';

/** Records that a customer confirms, with the condition that they wait for it. */
const targets = [
  { type: 'payment', table: 'payments', open: 'requires_confirmation' },
  { type: 'load', table: 'loads', open: 'requires_confirmation' },
  { type: 'withdrawal', table: 'withdrawals', open: 'requires_confirmation' },
  { type: 'refund', table: 'refunds', open: 'requested' },
] as const;

const everyTarget = (columns: string) =>
  targets
    .map(({ type, table }) => `select ${columns}, '${type}' as type from ${table}`)
    .join(' union all ');

/** Hosted sessions and the records that wait for them (rules/invariants#9). */
export const sessionsChecks: readonly Check[] = [
  ...targets.map(({ type, table, open }) => ({
    name: `9.${table}.waits`,
    clause: `a ${type} open for confirmation has exactly one live session or one deadline`,
    sql: `select r.tenant_id, '${type}' as kind, r.id,
        format('%s live sessions, %s deadlines', s.live, d.deadlines) as message
      from ${table} r
      cross join lateral (select count(*) as live from sessions s where s.tenant_id = r.tenant_id
        and s.id = r.session_id and s.status = 'created') s
      cross join lateral (select count(*) as deadlines from jobs d where d.tenant_id = r.tenant_id
        and d.name = '${type}_deadline' and d.ref = r.id) d
      where (r.status = '${open}' and s.live + d.deadlines <> 1)
        or (r.status <> '${open}' and s.live + d.deadlines <> 0)`,
  })),
  {
    name: '9.live_once',
    clause: 'the live session is the one that its target names',
    sql: `select s.tenant_id, 'session' as kind, s.id,
        format('live, but the %s names %s', s.target_type, r.session_id) as message
      from sessions s join (${everyTarget('tenant_id, id, session_id')}) r
        on r.tenant_id = s.tenant_id and r.type = s.target_type and r.id = s.target_id
      where s.status = 'created' and r.session_id is distinct from s.id`,
  },
  {
    name: '9.one_per_flow',
    clause: 'a customer has at most one live session of each flow, besides confirmations',
    sql: `select tenant_id, 'customer' as kind, customer_id as id,
        format('%s live sessions of %s', count(*), flow) as message
      from sessions where status = 'created' and target_id is null
      group by tenant_id, customer_id, flow having count(*) > 1`,
  },
  {
    name: '9.confirmed_once',
    clause: 'a confirmed record has one completed session, and only such a record has',
    sql: `select r.tenant_id, r.type as kind, r.id,
        format('confirmed %s, completed sessions: %s', coalesce(r.confirmed_at::text, 'never'),
          coalesce(s.completed, 0)) as message
      from (${everyTarget('tenant_id, id, confirmed_at')}) r left join (select tenant_id, target_id,
        count(*) as completed from sessions where status = 'completed' and target_id is not null
        group by tenant_id, target_id) s on s.tenant_id = r.tenant_id and s.target_id = r.id
      where coalesce(s.completed, 0) > 1
        or (r.confirmed_at is not null and coalesce(s.completed, 0) = 0)`,
  },
  {
    name: '9.times',
    clause: 'opened once, before expires_at; an unopened one ends then; exchanged after its end',
    sql: `select tenant_id, 'session' as kind, id, format('%s: opened %s, ends %s, exchanged %s',
        status, opened_at, ends_at, exchanged_at) as message
      from sessions where opened_at < created_at or opened_at >= expires_at
        or (status = 'created' and opened_at is null and ends_at <> expires_at)
        or (exchanged_at is not null and (status = 'created' or not gave_result
          or exchanged_at < updated_at))`,
  },
  {
    name: '9.lifetimes',
    clause: 'an opened session lives for 30 minutes at most, in onboarding for four hours',
    sql: `select tenant_id, 'session' as kind, id,
        format('opened %s, ends %s', opened_at, ends_at) as message
      from sessions where bearer_hash is not null and (opened_at is null or ends_at > opened_at
        + case flow when 'onboarding' then interval '4 hours' else interval '30 minutes' end)`,
  },
  {
    name: '9.target',
    clause: 'payment_confirm has a target, no other flow has one',
    sql: `select tenant_id, 'session' as kind, id, format('%s with %s', flow, target_type) as message
      from sessions where (flow = 'payment_confirm') <> (target_id is not null)
        or (target_type is null) <> (target_id is null)`,
  },
];
