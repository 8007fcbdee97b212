-- A Tenant whose client gets no access token, since when and why.
alter table tenants
  add column suspended_at timestamptz,
  add column suspended_reason text,
  add check ((suspended_at is null) = (suspended_reason is null));
