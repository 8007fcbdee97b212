-- Erasure, and the end of what was told of a person (decisions 1.12).

alter table customers add column erased_at timestamptz;

-- Up to which event of a tenant the texts are blank: ids are in the order of time, so that nothing is
-- looked at twice, and no index of what is left is written with every event.
create table event_retention (
  tenant_id uuid primary key,
  blanked_until uuid not null
);

-- An event may lose its text, and changes in nothing else.
create function refuse_other_text() returns trigger language plpgsql as $$
begin
  if new.body <> '' then
    raise exception '% is append-only', tg_table_name using errcode = '42501';
  end if;
  return new;
end $$;

drop trigger events_append_only on events;
create trigger events_append_only
  before update of tenant_id, id, type, object_type, object_id, version, sample, created_at
    or delete or truncate on events
  for each statement execute function refuse_change();
create trigger events_forget before update of body on events
  for each row execute function refuse_other_text();

-- A tenant's calendar (jobs/calendar.ts), for those that are older than this release.
insert into due (tenant_id, what, ref, due_at, wake_at)
  select tenant_id, 'event_blanking', tenant_id, now(), now() from tenants;
