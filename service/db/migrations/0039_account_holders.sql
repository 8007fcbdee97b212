-- class: locks linked_accounts, for less than 50 ms
-- Whose an account is, and which (rules/linking#25).
alter table linked_accounts
  add column persistent_hash text, -- keyed hash of the aggregator's lasting id of the account
  add column institution_id text, -- the aggregator's id of the bank
  add column holder_match jsonb; -- names that are to be compared, or wait for a reviewer; null: decided
