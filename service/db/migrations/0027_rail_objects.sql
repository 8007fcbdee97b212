-- class: online
-- What providers must remember, such as the item of a customer at an aggregator (rules/rails#13).
create table rail_objects (
  tenant_id uuid not null,
  id uuid not null,
  provider text not null,
  kind text not null,
  key text not null,
  record uuid,
  value_sealed text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create unique index rail_objects_object_key on rail_objects (tenant_id, provider, kind, key);
create index rail_objects_record on rail_objects (tenant_id, record) where record is not null;
-- A message names an object before its Tenant is known.
create index rail_objects_key on rail_objects (provider, kind, key);
