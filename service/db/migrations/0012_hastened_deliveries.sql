-- class: online
-- The attempt of the schedule before which one was made early, since the endpoint answered again (rules/webhooks#34).
-- Null: before none of it.
alter table deliveries add column hastened_for timestamptz;
