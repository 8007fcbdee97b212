-- class: locks instructions, for less than 50 ms
-- Orders that are not of a customer's record (rules/bank-orders#1). Null in rows of 1.0.
alter table instructions alter column linked_account_id drop not null; -- null: both accounts are the Tenant's own
alter table instructions add column purpose text;
alter table instructions add column request_expires_at timestamptz; -- null: a transfer
alter table instructions add column return_of uuid; -- the order whose money goes back
alter table instructions add column answer text; -- how an own order ended; null: it has not
