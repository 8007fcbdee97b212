-- class: locks linked_accounts, for less than 50 ms
-- When the aggregator was told that an account is not needed any more (rules/linking#30); null: it was not.
alter table linked_accounts add column consent_ended_at timestamptz;
