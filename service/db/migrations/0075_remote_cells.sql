-- Cells on servers of their own (rules/cells#21). They reach the schema control of this database as foreign
-- tables; these know no function of another server, and no "on conflict do update".

-- Held until the transaction ends, also where a cell on another server asks for it.
create function control.lock(key bigint) returns void
language sql set search_path = pg_catalog, pg_temp as $$
  select pg_advisory_xact_lock(key)
$$;

-- What another server inserts here is a call of a function; `rows` returns its result.
create view control.calls as
  select null::text as name, null::jsonb as arguments, null::jsonb as rows where false;

create function control.answer_call() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  case new.name
    when 'append_audit' then
      new.rows := (select coalesce(jsonb_agg(a), '[]') from control.append_audit(new.arguments) a);
    when 'lock' then perform control.lock(new.arguments::bigint);
  end case;
  return new;
end $$;

create trigger calls_answered instead of insert on control.calls
  for each row execute function control.answer_call();

-- The directory of a cell: as before, in words that hold for a foreign table too.
create or replace function list_tenant() returns trigger
language plpgsql set search_path = control, pg_catalog, pg_temp as $$
begin
  update tenants t set name = new.name, suspended_at = new.suspended_at
    where t.tenant_id = new.tenant_id and t.cell = tg_table_schema;
  if not found then
    insert into tenants (tenant_id, cell, name, suspended_at)
      values (new.tenant_id, tg_table_schema, new.name, new.suspended_at) on conflict do nothing;
  end if;
  return null;
end $$;

create or replace function list_client() returns trigger
language plpgsql set search_path = control, pg_catalog, pg_temp as $$
begin
  update clients c set tenant_id = new.tenant_id where c.client_id = new.client_id;
  if not found then
    insert into clients (client_id, tenant_id) values (new.client_id, new.tenant_id)
      on conflict do nothing;
  end if;
  return null;
end $$;
