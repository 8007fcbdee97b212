-- class: online
-- The messages of a customer, newest first.
create index concurrently customer_messages_customer
  on customer_messages (tenant_id, customer_id, created_at, id);
