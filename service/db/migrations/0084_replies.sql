-- A reply that shows a record is logged as the event that shows it, and the session whose token it showed once.
alter table requests add column event_id uuid, add column once_field text, add column session_id uuid;
