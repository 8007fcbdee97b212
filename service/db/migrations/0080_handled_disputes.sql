-- class: online
-- What a reviewer has made of a notice (rules/disputes#56 to #62); null: nothing yet.
alter table disputes
  add column handled_as text,
  add column reasserted_of uuid,
  add column reopened_at timestamptz,
  add column papers_given_at timestamptz,
  add column extenuating_at timestamptz,
  add column customer_bears_cents bigint,
  add column liability_tier text;
