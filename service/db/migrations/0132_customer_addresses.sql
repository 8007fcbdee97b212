-- class: online
-- The beginning of an e-mail address, whatever the database's collation.
create index concurrently customers_addressed on customers
  (tenant_id, lower(email) text_pattern_ops) where email is not null;
