-- class: locks jobs, for less than 50 ms
-- The trace of the command that has asked for the job, as its traceparent (rules/operations#91).
alter table jobs add column trace text;
