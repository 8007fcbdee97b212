-- class: online
-- Those of whom a reviewer has asked for more: a home counts them.
create index concurrently customers_asked on customers (tenant_id, verification_updated_at, id)
  where more_requested and status = 'pending';
