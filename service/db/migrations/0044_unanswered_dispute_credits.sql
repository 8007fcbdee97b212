-- class: online
-- The credits of disputes that are in transit to a bank (rules/bank-orders#25).
create index concurrently disputes_credit_sent on disputes (tenant_id, id) where credit_route = 'sent';
