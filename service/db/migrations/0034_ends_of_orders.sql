-- class: locks instructions, for less than 50 ms
-- How an order stands at the bank (rules/bank-orders#12). All null in rows of the releases before.
alter table instructions
  add column provider_id text, -- the bank's own id of the order
  add column word text, -- the bank's last word
  add column cancel text, -- whether the bank was asked to cancel it
  add column asked_at timestamptz, -- since when the bank must say how it stands; null: nothing is asked
  add column asked_reason text, -- the answer that was none
  add column queried_at timestamptz; -- when the bank was asked last
