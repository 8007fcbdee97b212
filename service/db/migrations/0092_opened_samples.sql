-- class: locks session_progress, for less than 50 ms
-- When an applicant opened the sample statement (rules/documents#33); null: not yet.
alter table session_progress add column sample_opened_at timestamptz;
