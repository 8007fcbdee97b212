-- The logos of a Tenant's hosted pages, as PNG files that the service has written itself: the one of the
-- settings, and the one that was uploaded last.
create table logos (
  tenant_id uuid not null,
  hash text not null,
  png bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, hash)
);
