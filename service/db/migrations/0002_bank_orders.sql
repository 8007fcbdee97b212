-- class: online
-- The order that the call which began a record leads to, so that it is the same after a restore (rules/restore#1).
-- Rows from before have none: their orders are derived from the record.
alter table loads add column bank_order_id uuid;
alter table payments add column bank_order_id uuid;
alter table withdrawals add column bank_order_id uuid;
alter table refunds add column bank_order_id uuid;
alter table disputes add column bank_order_id uuid;
