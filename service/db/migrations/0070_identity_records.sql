-- class: online
-- Persons and businesses whose identity data the vault keeps (rules/identity#1).
create table identity_records (
  tenant_id uuid not null,
  -- The customer or the owner.
  id uuid not null,
  subject text not null check (subject in ('customer', 'owner')),
  customer_id uuid not null,
  tax_kind text not null check (tax_kind in ('ssn', 'itin', 'ein')),
  tax_hash text not null, -- keyed hash of the tax number, by which one person is found twice
  collected_at timestamptz not null,
  asked text[] not null default '{}', -- documents that the reviewer has asked for
  asked_at timestamptz, -- null: nobody has asked for any
  openings integer not null default 0,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create index identity_records_tax_hash on identity_records (tenant_id, tax_hash);
create index identity_records_customer_id on identity_records (tenant_id, customer_id);
