-- class: online
-- How far each provider was polled, by one process of all at a time (rules/rails#10).
create table control.rail_polls (
  provider text primary key,
  -- Null: from the beginning.
  cursor text,
  next_at timestamptz not null,
  -- Since the last that did not fail.
  failures integer not null default 0,
  done_at timestamptz,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
