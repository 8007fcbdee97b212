-- class: online
-- When a reviewer booked what a message says (rules/bank-orders#27); null: nobody has.
alter table bank_messages add column booked_at timestamptz;
