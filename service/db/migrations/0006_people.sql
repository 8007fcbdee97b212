-- Verification of people with all of its ladder, documents of every version, opened sessions.
-- Only indexes of some rows: one of all rows could take the primary key's place (see 0001).

-- When what waits for acceptance has waited too long (decisions 1.1, DocumentAcceptance).
alter table customers add column terms_due_at timestamptz;

alter table owners add column rejections integer not null default 0;
alter table owners add column retry_available_at timestamptz;
alter table owners add column contact_sealed text;
alter table owners add column link_hash text;
alter table owners add column identity_reference text;
create unique index owners_link on owners (tenant_id, link_hash) where link_hash is not null;

-- What the page that opened a session shows from then on, in place of its token.
alter table sessions add column bearer_hash text;
create unique index sessions_bearer on sessions (tenant_id, bearer_hash)
  where bearer_hash is not null;

-- Which version of each document a new customer accepts, and the newest that anybody was shown.
create table document_versions (
  tenant_id uuid not null,
  document_type text not null,
  in_force text not null,
  latest text not null,
  revision integer not null default 1,
  primary key (tenant_id, document_type)
);

-- A new version on its way to everybody who accepted an earlier one.
create table document_publications (
  tenant_id uuid not null,
  id uuid not null,
  document_type text not null,
  document_version text not null,
  spread_to uuid,
  created_at timestamptz not null,
  spread_at timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create index documents_accepted on documents (tenant_id, document_type, id)
  where status = 'accepted';

insert into document_versions (tenant_id, document_type, in_force, latest)
  select tenant_id, document_type, '2026-01', max(document_version)
  from documents group by tenant_id, document_type;

update customers c set terms_due_at = w.since + interval '30 days', revision = revision + 1
  from (select tenant_id, customer_id, min(created_at) as since from documents
    where status = 'pending_acceptance' group by tenant_id, customer_id) w
  where w.tenant_id = c.tenant_id and w.customer_id = c.id;
