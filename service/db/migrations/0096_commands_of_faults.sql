-- Faults of the sandbox and logos are written by commands too. Counting calls and events raises no revision.
alter table chaos add column revision integer not null default 1;
alter table logos add column revision integer not null default 1;
