-- Which release a process runs; those of an older release do not say so.
alter table processes add column version text;

-- What the proofs of a Tenant's ledger have found, in real time.
create table ledger_proofs (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  -- `night`, or `person` where somebody asked for it.
  cause text not null,
  ok boolean not null,
  checked bigint not null,
  found integer not null,
  -- The first 20.
  violations jsonb not null,
  duration_ms integer not null,
  process_id uuid not null,
  primary key (tenant_id, id)
);
create index ledger_proofs_at on ledger_proofs (tenant_id, at, id);
