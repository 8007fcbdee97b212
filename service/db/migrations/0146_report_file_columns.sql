-- class: locks reconciliation_reports, for less than 50 ms
-- The file of the report has the column metadata (rules/reads#10); false: so had every file of 1.0.
alter table reconciliation_reports add column file_has_metadata boolean not null default false;
