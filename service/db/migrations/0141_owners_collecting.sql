-- class: locks owners, for less than 50 ms
-- Until when a call may take that gives the owner's data to the identity provider (rules/customers#21).
alter table owners add column collecting_until timestamptz;
