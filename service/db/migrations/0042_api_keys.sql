-- API keys of members, of staff, and of a sandbox's client (rules/api-keys#1).
create table control.api_keys (
  id uuid primary key,
  key_hash text not null unique,
  -- `platform`, or the id of a Tenant.
  scope text not null,
  name text not null,
  roles text[] not null check (cardinality(roles) > 0),
  -- The maker: a person, or the client of a sandbox's Tenant.
  person_id uuid,
  client_id text,
  made_by text not null check (made_by in ('portal', 'device')),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  last_used_at timestamptz,
  revoked_at timestamptz,
  check ((person_id is null) <> (client_id is null))
);
create index on control.api_keys (scope, id);
