-- A Tenant moves to a cell of another database too (rules/cells#25).

-- Who has left this cell for one of another database, by which move: it is never served here again.
create table departures (
  tenant_id uuid primary key,
  move_id uuid not null,
  departed_at timestamptz not null
);

-- Read five times a second where the cell is remote.
create index tenants_stopped on tenants (tenant_id) where stopped_until is not null;

-- What a Tenant leaves behind may be deleted where the directory names another cell, or where it has departed.
create or replace function refuse_change() returns trigger
language plpgsql set search_path = control, pg_catalog, pg_temp as $$
declare
  has_left boolean := false;
begin
  if tg_op = 'DELETE' then
    if current_setting('tenant_payments.left_behind', true) = old.tenant_id::text then
      select true into has_left from tenants t where t.tenant_id = old.tenant_id and t.cell <> tg_table_schema;
      if has_left is null then
        execute format('select true from %I.departures where tenant_id = $1', tg_table_schema)
          into has_left using old.tenant_id;
      end if;
      if has_left then return old; end if;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;
