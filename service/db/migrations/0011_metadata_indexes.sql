-- class: online
-- Records that have metadata, which lists and files look through (rules/reads#8). Without it they cost nothing.
create index concurrently customers_with_metadata on customers (tenant_id, id) where metadata is not null;
create index concurrently loads_with_metadata on loads (tenant_id, id) where metadata is not null;
create index concurrently payment_requests_with_metadata on payment_requests (tenant_id, id) where metadata is not null;
create index concurrently payments_with_metadata on payments (tenant_id, id) where metadata is not null;
create index concurrently withdrawals_with_metadata on withdrawals (tenant_id, id) where metadata is not null;
create index concurrently refunds_with_metadata on refunds (tenant_id, id) where metadata is not null;
create index concurrently disputes_with_metadata on disputes (tenant_id, id) where metadata is not null;
create index concurrently linked_accounts_with_metadata on linked_accounts (tenant_id, id) where metadata is not null;
