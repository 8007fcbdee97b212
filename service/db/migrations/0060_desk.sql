-- Which person has a case at the reviewers' desk; without a row, or without a name, nobody has it.
create table review_cases (
  tenant_id uuid not null,
  resource text not null,
  record_id uuid not null,
  assigned_to uuid,
  assigned_at timestamptz,
  revision integer not null default 1,
  check ((assigned_to is null) = (assigned_at is null)),
  primary key (tenant_id, resource, record_id)
);

-- What staff wrote on a case. It stays as it was written.
create table review_notes (
  tenant_id uuid not null,
  id uuid not null,
  resource text not null,
  record_id uuid not null,
  author text not null,
  text text not null,
  created_at timestamptz not null,
  revision integer not null default 1
);
create index review_notes_case on review_notes (tenant_id, resource, record_id);
alter table review_notes add primary key (tenant_id, id);
create trigger review_notes_append_only before update or delete or truncate on review_notes
  for each statement execute function refuse_change();

-- The decisions of a record, and of the other records of its customer.
create index reviews_record on reviews (tenant_id, resource, record_id);
-- What a customer's account may own in suspense.
create index suspense_account on suspense (tenant_id, account_id) where account_id is not null;
