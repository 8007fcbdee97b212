-- Tenants move from cell to cell of a database (rules/cells#15).

-- Until then, in real time, nothing is begun for the Tenant: it is about to leave this cell.
alter table tenants add column stopped_until timestamptz;

-- Every move, and how far it is. Those that are over say where a Tenant has been.
create table control.moves (
  id uuid primary key,
  tenant_id uuid not null,
  from_cell text not null,
  to_cell text not null,
  state text not null check (state in ('copying', 'stopped', 'switched', 'done', 'undone')),
  started_at timestamptz not null,
  stopped_until timestamptz,
  switched_at timestamptz,
  ended_at timestamptz,
  rows bigint
);
create unique index moves_open on control.moves (tenant_id) where state in ('copying', 'stopped', 'switched');
create index moves_switched on control.moves (switched_at) where switched_at is not null;

-- Append-only, but for what a Tenant leaves in a cell that is not its own. The path names the shared
-- schema, so that each cell has the function.
create or replace function refuse_change() returns trigger
language plpgsql set search_path = control, pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('tenant_payments.left_behind', true) = old.tenant_id::text
      and exists (select from tenants t where t.tenant_id = old.tenant_id and t.cell <> tg_table_schema)
    then return old; end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;
