-- How far each sealed column of a Tenant has come in being sealed anew.
create table reseals (
  tenant_id uuid not null,
  sealed_column text not null,
  key_id text not null,
  position text,
  resealed bigint not null,
  unopened bigint not null,
  finished boolean not null,
  primary key (tenant_id, sealed_column)
);
