-- class: online
-- The beginning of a name, as it is said: a person by the given name, a business by its shop's.
create index concurrently customers_called on customers
  (tenant_id, lower(coalesce(trading_name, given_name || coalesce(' ' || family_name, ''))) text_pattern_ops);
