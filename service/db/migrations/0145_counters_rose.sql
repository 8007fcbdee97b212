-- class: online
-- What the counter was when this release last raised it (rules/limits#7); null: 1.0 alone has counted.
alter table limit_counters add column rose_to_cents bigint;
