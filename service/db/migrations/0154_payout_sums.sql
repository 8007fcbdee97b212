-- class: online
-- What the customers of a Tenant withdraw on a day, where it has a maximum of that (rules/limits#25).
create table payout_sums (
  tenant_id uuid not null,
  day date not null,
  used bigint not null check (used >= 0),
  at_most_cents bigint, -- the maximum when it last rose
  revision integer not null default 1,
  primary key (tenant_id, day)
);
