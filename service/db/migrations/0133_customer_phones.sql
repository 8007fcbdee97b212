-- class: online
-- The last four digits of a number.
create index concurrently customers_phoned on customers
  (tenant_id, mobile_last4, id) where mobile_last4 is not null;
