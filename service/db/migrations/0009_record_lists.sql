-- class: online
-- Lists of all records of a customer go on by id, newest first (rules/reads#6): payments and refunds on either side.
create index concurrently payments_of_payer on payments (tenant_id, payer_customer_id, id);
create index concurrently payments_of_payee on payments (tenant_id, payee_customer_id, id);
create index concurrently loads_of_customer on loads (tenant_id, customer_id, id);
create index concurrently withdrawals_of_customer on withdrawals (tenant_id, customer_id, id);
create index concurrently refunds_of_payer on refunds (tenant_id, payer_customer_id, id);
create index concurrently refunds_of_merchant on refunds (tenant_id, merchant_customer_id, id);
create index concurrently payment_requests_of_merchant on payment_requests (tenant_id, merchant_customer_id, id);
create index concurrently linked_accounts_of_customer on linked_accounts (tenant_id, customer_id, id);
