-- class: locks owners, for less than 50 ms
-- The owner gave another name than the business had (rules/owners#14).
alter table owners add column named_otherwise boolean not null default false;
