-- class: online
-- Webhook endpoints of a Tenant beside its first one, and what is sent to them (rules/webhooks#35).
create table further_endpoints (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  url text not null,
  enabled boolean not null,
  -- The types of the events that it gets; null: all.
  types text[],
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, id)
);

-- As `deliveries`, one for each endpoint that the event goes to.
create table further_deliveries (
  tenant_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  status text not null default 'pending',
  attempts integer not null default 0,
  created_at timestamptz not null,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_response_status integer,
  next_attempt_at timestamptz,
  due_at timestamptz,
  wake_at timestamptz,
  lease_until timestamptz,
  extra boolean not null default false,
  hastened_for timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, event_id, endpoint_id)
);
create index further_deliveries_wake on further_deliveries (wake_at) where wake_at is not null;
create index further_deliveries_endpoint on further_deliveries (tenant_id, endpoint_id, event_id);
create index further_deliveries_unsent on further_deliveries (tenant_id, endpoint_id, status, event_id)
  where status in ('retrying', 'failed') or (wake_at is null and status = 'pending');

-- As `attempts`.
create table further_attempts (
  tenant_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  number integer not null,
  at timestamptz not null,
  url text not null,
  request_headers text not null,
  response_status integer,
  response_headers text,
  response_body text,
  duration_ms integer not null,
  error text,
  recorded_at timestamptz default clock_timestamp(),
  primary key (tenant_id, event_id, endpoint_id, number)
);
create index further_attempts_recorded on further_attempts using brin (recorded_at) with (autosummarize = on);

-- The text of an event stays while it is to be sent to any endpoint, and goes from all attempts.
do $do$ begin execute format($make$
  create or replace function redact_events(tenant uuid, before uuid, at_once integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, %1$I, pg_temp as $$
  declare
    reached uuid;
    until uuid := before;
    ids uuid[];
  begin
    if exists (select from database_identity where name = 'ENVIRONMENT' and value = 'production') then
      until := least(before, rpad(lpad(to_hex(
        (extract(epoch from now() - interval '400 days') * 1000)::bigint), 12, '0'), 32, '0')::uuid);
    end if;
    reached := coalesce((select r.redacted_until from event_retention r where r.tenant_id = tenant),
      '00000000-0000-0000-0000-000000000000');
    -- An event that is still to be sent keeps its text, and so do those after it.
    until := coalesce((select d.event_id from deliveries d where d.tenant_id = tenant
      and d.wake_at is not null and d.event_id > reached and d.event_id < until
      order by d.event_id limit 1), until);
    until := coalesce((select d.event_id from further_deliveries d where d.tenant_id = tenant
      and d.wake_at is not null and d.event_id > reached and d.event_id < until
      order by d.event_id limit 1), until);
    ids := array(select e.id from events e where e.tenant_id = tenant
      and e.id > reached and e.id < until order by e.id limit at_once);
    if cardinality(ids) = 0 then return 0; end if;
    update events e set body = '' where e.tenant_id = tenant and e.id = any (ids);
    update attempts a set request_headers = '{}', response_headers = null, response_body = null
      where a.tenant_id = tenant and a.event_id = any (ids);
    update further_attempts a set request_headers = '{}', response_headers = null, response_body = null
      where a.tenant_id = tenant and a.event_id = any (ids);
    insert into event_retention as r (tenant_id, redacted_until)
      values (tenant, ids[cardinality(ids)])
      on conflict (tenant_id) do update
        set redacted_until = greatest(r.redacted_until, excluded.redacted_until);
    return cardinality(ids);
  end $$ $make$, current_schema());
end $do$;
