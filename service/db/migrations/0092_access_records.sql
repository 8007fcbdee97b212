-- Who read personal data (rules/audit#18): a person, a record and an hour of the database's clock leave one row.
create table control.access_records (
  id uuid primary key default gen_random_uuid(),
  scope text not null, -- the Tenant's uuid
  at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  hour timestamptz not null default date_trunc('hour', clock_timestamp(), 'UTC'),
  person_id uuid not null,
  acted_as text not null, -- `staff` or `member`
  api_key_id text, -- the key by which it was read first in that hour
  kind text not null,
  record text not null,
  address text,
  request_id text,
  unique (scope, person_id, kind, record, hour)
);
create index access_records_times on control.access_records (scope, at, id);
create index access_records_records on control.access_records (scope, record, at);

create trigger access_records_append_only before update or delete on control.access_records
  for each row execute function control.refuse_change();
create trigger access_records_not_emptied before truncate on control.access_records
  for each statement execute function control.refuse_change();
