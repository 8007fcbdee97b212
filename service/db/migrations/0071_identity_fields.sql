-- class: online
-- What the vault keeps of a person, one field and one seal a row (rules/identity#2).
create table identity_fields (
  tenant_id uuid not null,
  id uuid not null,
  record_id uuid not null,
  name text not null check (name in ('name', 'birth_date', 'tax_number', 'address')),
  value_sealed text not null,
  updated_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create unique index identity_fields_field_key on identity_fields (tenant_id, record_id, name);
