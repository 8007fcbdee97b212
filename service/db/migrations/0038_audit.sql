-- The audit (rules/audit): who did what, each row bound to the one before by its hash. A chain for each
-- Tenant, and one for the platform.

create table control.audit (
  scope text not null, -- `platform`, or the tenant's uuid
  number bigint not null,
  at timestamptz not null,
  actor_kind text not null,
  actor_id text not null,
  person_id text,
  act text not null,
  record text,
  address text,
  request_id text,
  outcome text not null,
  body text not null, -- the row with before and after, as it is hashed
  previous_hash text not null,
  hash text not null,
  primary key (scope, number)
);
create index audit_acts on control.audit (scope, act, number);
create index audit_actors on control.audit (scope, actor_id, number);
create index audit_records on control.audit (scope, record, number);
create index audit_times on control.audit (scope, at, number);

create table control.audit_heads (
  scope text primary key,
  number bigint not null,
  hash text not null
);

create trigger audit_append_only before update or delete or truncate on control.audit
  for each statement execute function refuse_change();
-- The function below moves a head on; nothing takes one away.
create trigger audit_heads_append_only before delete or truncate on control.audit_heads
  for each statement execute function refuse_change();

-- The one way into the audit: it works as the owner of the tables, and its search_path is fixed, so
-- that nothing of the caller's takes the place of ours. Scopes are locked in one order, and the lock of
-- a head is the last one that a transaction takes, so that no two wait for each other.
create function control.append_audit(entries jsonb) returns setof control.audit
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  given jsonb;
  head control.audit_heads;
  made control.audit;
begin
  for given in
    select e.value from jsonb_array_elements(entries) with ordinality e(value, place)
    order by e.value ->> 'scope' collate "C", e.place
  loop
    made.scope := given ->> 'scope';
    insert into control.audit_heads (scope, number, hash) values (made.scope, 0, repeat('0', 64))
      on conflict do nothing;
    select * into strict head from control.audit_heads h where h.scope = made.scope for update;
    made.number := head.number + 1;
    made.at := date_trunc('milliseconds', clock_timestamp());
    made.actor_kind := given ->> 'actor_kind';
    made.actor_id := given ->> 'actor_id';
    made.person_id := given ->> 'person_id';
    made.act := given ->> 'act';
    made.record := given ->> 'record';
    made.address := given ->> 'address';
    made.request_id := given ->> 'request_id';
    made.outcome := given ->> 'outcome';
    made.body := json_build_object(
      'scope', made.scope, 'number', made.number,
      'at', to_char(made.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor_kind', made.actor_kind, 'actor_id', made.actor_id, 'person_id', made.person_id,
      'act', made.act, 'record', made.record, 'address', made.address,
      'request_id', made.request_id, 'outcome', made.outcome,
      'before', given -> 'before', 'after', given -> 'after')::text;
    made.previous_hash := head.hash;
    made.hash := encode(
      sha256(decode(made.previous_hash, 'hex') || convert_to(made.body, 'UTF8')), 'hex');
    insert into control.audit select made.*;
    update control.audit_heads h set number = made.number, hash = made.hash
      where h.scope = made.scope;
    return next made;
  end loop;
end $$;
revoke all on function control.append_audit(jsonb) from public;
