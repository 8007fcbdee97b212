-- class: locks linked_accounts, for less than 50 ms
-- Since when a customer must sign in at the bank again, and when they last had (rules/linking#33).
alter table linked_accounts
  add column needs_login_at timestamptz,
  add column login_restored_at timestamptz;
