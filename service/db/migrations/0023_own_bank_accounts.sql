-- class: online
-- A Tenant's own accounts at its bank, one of each role (rules/own-bank-accounts#1).
create table own_bank_accounts (
  tenant_id uuid not null,
  role text not null check (role in ('fbo', 'operating', 'reserve')),
  -- Title, kind, routing number and last four; null: none is in force.
  in_force jsonb,
  number_sealed text,
  in_force_at timestamptz,
  proposed jsonb,
  proposed_number_sealed text,
  proposed_at timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, role),
  check ((in_force is null) = (number_sealed is null) and (in_force is null) = (in_force_at is null)),
  check ((proposed is null) = (proposed_number_sealed is null) and (proposed is null) = (proposed_at is null))
);
