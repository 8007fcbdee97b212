-- What a database is: its environment, and check values of the keys that its rows need.
create table database_identity (
  name text not null,
  key_id text not null default '',
  value text not null,
  noted_at timestamptz not null default now(),
  primary key (name, key_id)
);

-- Who decided what, and why, is never changed.
create trigger reviews_append_only before update or delete or truncate on reviews
  for each statement execute function refuse_change();

-- The one way by which a text of an event goes: the service may not update events, and calls this,
-- which works as the owner of the tables. Its search_path is fixed, so that no table of the caller's
-- takes the place of ours. In production no text younger than 400 days goes, whoever asks.
do $do$ begin execute format($make$
  create function redact_events(tenant uuid, before uuid, at_once integer) returns integer
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
    ids := array(select e.id from events e where e.tenant_id = tenant
      and e.id > reached and e.id < until order by e.id limit at_once);
    if cardinality(ids) = 0 then return 0; end if;
    update events e set body = '' where e.tenant_id = tenant and e.id = any (ids);
    update attempts a set request_headers = '{}', response_headers = null, response_body = null
      where a.tenant_id = tenant and a.event_id = any (ids);
    insert into event_retention as r (tenant_id, redacted_until)
      values (tenant, ids[cardinality(ids)])
      on conflict (tenant_id) do update
        set redacted_until = greatest(r.redacted_until, excluded.redacted_until);
    return cardinality(ids);
  end $$ $make$, current_schema());
end $do$;
revoke all on function redact_events(uuid, uuid, integer) from public;
