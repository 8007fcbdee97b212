-- class: online
-- An order belongs to one record of each table (rules/restore#4).
create unique index concurrently loads_bank_order_key on loads (tenant_id, bank_order_id) where bank_order_id is not null;
create unique index concurrently payments_bank_order_key on payments (tenant_id, bank_order_id) where bank_order_id is not null;
create unique index concurrently withdrawals_bank_order_key on withdrawals (tenant_id, bank_order_id) where bank_order_id is not null;
create unique index concurrently refunds_bank_order_key on refunds (tenant_id, bank_order_id) where bank_order_id is not null;
create unique index concurrently disputes_bank_order_key on disputes (tenant_id, bank_order_id) where bank_order_id is not null;
