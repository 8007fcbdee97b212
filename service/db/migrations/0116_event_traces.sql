-- class: locks events, for less than 50 ms
-- The trace of the request that caused the event, as its traceparent (rules/operations#91).
alter table events add column trace text;
