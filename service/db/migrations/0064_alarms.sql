-- What needed a person's attention, as the log said it: one row a day for each alarm, scope and record.
create table control.alarms (
  id uuid primary key,
  alarm text not null,
  -- `platform`, or the id of a Tenant.
  scope text not null,
  -- Empty: about no record.
  record text not null,
  day date not null,
  message text not null,
  facts jsonb not null,
  process_id uuid not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by text,
  note text,
  unique (alarm, scope, record, day),
  check ((acknowledged_at is null) = (acknowledged_by is null))
);
create index alarms_first on control.alarms (first_at, id);
create index alarms_open on control.alarms (first_at, id) where acknowledged_at is null;
create index alarms_scope on control.alarms (scope, first_at, id);

-- What the last verification of each chain of the audit has found.
create table control.audit_proofs (
  scope text primary key,
  at timestamptz not null,
  ok boolean not null,
  checked bigint not null,
  faults jsonb not null,
  number bigint not null,
  hash text not null
);
