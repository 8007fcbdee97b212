-- class: online
-- The beginning of a name, as papers have it: a person by the family name, a business by the legal one.
create index concurrently customers_registered on customers
  (tenant_id, lower(coalesce(legal_name, family_name || coalesce(' ' || given_name, ''))) text_pattern_ops);
