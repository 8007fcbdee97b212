-- class: online
-- Why an identity provider decided so, as it says it to the reviewer (rules/identity#12).
create table identity_checks (
  tenant_id uuid not null,
  id uuid not null,
  subject text not null check (subject in ('customer', 'owner')),
  subject_id uuid not null,
  customer_id uuid not null,
  decision text not null check (decision in ('approved', 'rejected', 'unclear')),
  reasons text[] not null,
  signals text[] not null,
  created_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create index identity_checks_subject on identity_checks (tenant_id, subject_id);
create index identity_checks_customer on identity_checks (tenant_id, customer_id);
