-- What one person has moved alone on a day of real time, over all Tenants (rules/approvals#9).
create table control.maker_sums (
  maker text not null,
  day date not null,
  moved bigint not null check (moved >= 0),
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  primary key (maker, day)
);
