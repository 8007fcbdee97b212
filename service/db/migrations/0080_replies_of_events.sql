-- A reply that shows a record is stored as the event that shows it.
alter table idempotency add column event_id uuid;

-- The event of a Transaction that is posted at once has its id, and is found by it.
drop index events_one_per_version;
create unique index events_one_per_version on events (tenant_id, object_id, version)
  where not sample and id <> object_id;
