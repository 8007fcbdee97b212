-- class: locks customer_messages, for less than 50 ms
-- What became of a message (rules/messages#2); null in those that the release before has written.
alter table customer_messages
  add column locale text,
  add column masked text, -- the recipient as it may be shown; emptied by erasure
  add column provider_id text, -- the provider's own id of it
  add column reason text, -- why it did not arrive
  add column expires_at timestamptz,
  add column ended_at timestamptz; -- when it arrived, or it was known that it will not
