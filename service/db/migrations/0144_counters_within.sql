-- class: online
-- The most that the limit allowed when the counter last rose (rules/limits#7); null: no limit, or 1.0 has counted.
alter table limit_counters add column at_most_cents bigint;
