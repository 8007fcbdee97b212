-- The engine decides again where another commit took the same file first, which it knows by the name of the key.
drop index control.bank_statements_file;
alter table control.bank_statements add constraint bank_statements_file_key unique (tenant_id, sha256);
