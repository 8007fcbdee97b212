-- class: locks linked_accounts, for less than 50 ms
-- The numbers that orders name, sealed; null: the aggregator has given none (rules/linking#18).
alter table linked_accounts
  add column numbers_sealed text,
  add column numbers_changed_at timestamptz; -- when the bank replaced them last
