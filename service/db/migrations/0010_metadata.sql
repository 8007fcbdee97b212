-- class: locks customers, loads, payment_requests, payments, withdrawals, refunds, disputes, linked_accounts, for less than 50 ms
-- Own references of a Tenant on what it creates (rules/reads#7): JSON as text, null where a record was created without.
alter table customers add column metadata text;
alter table loads add column metadata text;
alter table payment_requests add column metadata text;
alter table payments add column metadata text;
alter table withdrawals add column metadata text;
alter table refunds add column metadata text;
alter table disputes add column metadata text;
alter table linked_accounts add column metadata text;
