-- class: online
-- Facts may name an order by the bank's own id (rules/bank-orders#14).
create index concurrently instructions_provider on instructions (tenant_id, provider_id) where provider_id is not null;
