-- class: online
-- The orders of the platform itself that the bank has not answered (rules/bank-orders#25). Of a record's order it has no row.
create index concurrently instructions_own_unanswered on instructions (tenant_id, id) where source_type = 'adjustment' and answer is null;
