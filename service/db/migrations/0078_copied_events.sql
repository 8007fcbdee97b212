-- Events arrive by COPY, which writes rows one by one where a default may differ from row to row.
-- Those of one statement have one time, and the live feed reads them as a whole.
alter table events alter column recorded_at set default statement_timestamp();
