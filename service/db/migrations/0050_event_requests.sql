-- Which request caused an event: the uuid of its `req_` id. Null where none of the API or the portal did.
alter table events add column request_id uuid;
-- Requests and events come in the order of time, so a range index finds a request's events, and costs
-- a payment nothing: a tree would be written with every event.
create index events_request on events using brin (request_id) with (autosummarize = on);

-- When it was written, by the database's clock: the order of the live feed, which holds for all
-- processes. Null in rows of before, which the feed does not send.
alter table events add column recorded_at timestamptz;
alter table events alter column recorded_at set default clock_timestamp();
create index events_recorded on events using brin (recorded_at) with (autosummarize = on);

-- Found by object: the samples, which `events_one_per_version` leaves out.
create index events_samples on events (tenant_id, object_id) where sample;
-- What has not arrived: failed, on its schedule, or waiting since no endpoint was enabled.
create index deliveries_unsent on deliveries (tenant_id, status, event_id)
  where status in ('retrying', 'failed') or (wake_at is null and status = 'pending');

-- As it was, with the new columns: the text alone may be blanked.
drop trigger events_append_only on events;
create trigger events_append_only before delete or truncate or update of tenant_id, id, type,
  object_type, object_id, version, sample, created_at, request_id, recorded_at
  on events for each statement execute function refuse_change();
