-- The order that the call which began a record leads to, so that it is the same after a restore (rules/restore#1).
-- Rows from before have none: their orders are derived from the record.
alter table loads add column bank_order_id uuid;
alter table payments add column bank_order_id uuid;
alter table withdrawals add column bank_order_id uuid;
alter table refunds add column bank_order_id uuid;
alter table disputes add column bank_order_id uuid;

create unique index loads_bank_order_key on loads (tenant_id, bank_order_id) where bank_order_id is not null;
create unique index payments_bank_order_key on payments (tenant_id, bank_order_id) where bank_order_id is not null;
create unique index withdrawals_bank_order_key on withdrawals (tenant_id, bank_order_id) where bank_order_id is not null;
create unique index refunds_bank_order_key on refunds (tenant_id, bank_order_id) where bank_order_id is not null;
create unique index disputes_bank_order_key on disputes (tenant_id, bank_order_id) where bank_order_id is not null;
