-- class: online
-- The contents of documents, encrypted; no command reads them (rules/identity#13).
create table identity_contents (
  tenant_id uuid not null,
  id uuid not null,
  content bytea not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
