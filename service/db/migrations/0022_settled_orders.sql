-- class: online
-- Orders of the bank that nobody repeats after a restore, and that two people have settled (rules/restore#20).
create table control.settled_orders (
  -- By which the bank knows it.
  id uuid primary key,
  settled_at timestamptz not null,
  settled_by text not null,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1
);
