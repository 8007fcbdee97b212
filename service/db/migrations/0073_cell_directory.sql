-- Which cell has which Tenant (rules/cells#9), so that one process serves several cells at one address.

create table control.tenants (
  tenant_id uuid primary key,
  cell text not null,
  name text not null,
  suspended_at timestamptz
);

create table control.clients (
  client_id text primary key,
  tenant_id uuid not null
);

-- The key of all cells that are made from now on: a token of any of them is told from a made-up one.
create table control.service_keys (
  name text primary key,
  sealed text not null,
  created_at timestamptz not null
);

-- The Tenants of the cells that a session's process serves; without the setting: those of its own cell.
create function control.served_tenants() returns table (tenant_id uuid, name text, suspended_at timestamptz)
language sql stable as $$
  select t.tenant_id, t.name, t.suspended_at from control.tenants t
  where t.cell = any (string_to_array(
    coalesce(nullif(current_setting('tenant_payments.cells', true), ''), current_schema()), ','))
$$;

-- The path names the shared schema, so that each cell has the function and its triggers.
create function list_tenant() returns trigger
language plpgsql set search_path = control, pg_catalog, pg_temp as $$
begin
  insert into tenants as known (tenant_id, cell, name, suspended_at)
    values (new.tenant_id, tg_table_schema, new.name, new.suspended_at)
    on conflict (tenant_id) do update set name = excluded.name, suspended_at = excluded.suspended_at
    where known.cell = excluded.cell;
  return null;
end $$;

create function list_client() returns trigger
language plpgsql set search_path = control, pg_catalog, pg_temp as $$
begin
  insert into clients (client_id, tenant_id) values (new.client_id, new.tenant_id)
    on conflict (client_id) do update set tenant_id = excluded.tenant_id;
  return null;
end $$;

create trigger tenants_listed after insert or update of name, suspended_at on tenants
  for each row execute function list_tenant();
create trigger clients_listed after insert or update of tenant_id on clients
  for each row execute function list_client();

-- Those that are there.
update tenants set name = name;
update clients set tenant_id = tenant_id;
