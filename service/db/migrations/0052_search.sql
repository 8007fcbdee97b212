-- What the portal's search finds records by. A payment without a reference writes no row of these.
create index customers_email on customers (tenant_id, lower(email), id) where email is not null;
create index payments_order_reference on payments (tenant_id, order_reference, id)
  where order_reference is not null;
create index payments_invoice_reference on payments (tenant_id, invoice_reference, id)
  where invoice_reference is not null;
create index payment_requests_order_reference on payment_requests (tenant_id, order_reference, id)
  where order_reference is not null;
create index payment_requests_collection on payment_requests (tenant_id, collection_reference, id)
  where collection_reference is not null;
