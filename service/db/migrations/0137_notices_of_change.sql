-- class: online
-- Consumers without a notice of a change of terms are found by customer (rules/documents#30).
create index concurrently notices_source_customer on notices (tenant_id, source_id, customer_id);
