-- Several secrets of one client, so that it changes them without a break.
create table client_secrets (
  tenant_id uuid not null,
  id uuid not null,
  client_id text not null,
  secret_hash text not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
insert into client_secrets (tenant_id, id, client_id, secret_hash, created_at, retired_at)
  select tenant_id, gen_random_uuid(), client_id, secret_hash, created_at, retired_at from clients;
create index client_secrets_client on client_secrets (tenant_id, client_id);
alter table client_secrets add primary key (tenant_id, id);
alter table clients drop column secret_hash;
