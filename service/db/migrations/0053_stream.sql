-- The order of the live feed, as in events: when a row was written, by the database's clock.
alter table requests add column recorded_at timestamptz;
alter table requests alter column recorded_at set default clock_timestamp();
create index requests_recorded on requests using brin (recorded_at) with (autosummarize = on);
alter table attempts add column recorded_at timestamptz;
alter table attempts alter column recorded_at set default clock_timestamp();
create index attempts_recorded on attempts using brin (recorded_at) with (autosummarize = on);
