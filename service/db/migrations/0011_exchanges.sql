-- What the aggregator answered for a public token that can be exchanged once.
create table exchanges (
  tenant_id uuid not null,
  token_hash text not null,
  customer_id uuid not null,
  asked_at timestamptz not null,
  claimed_until timestamptz,
  accounts_sealed text,
  revision integer not null default 1,
  check (claimed_until is null or accounts_sealed is null),
  primary key (tenant_id, token_hash)
);
