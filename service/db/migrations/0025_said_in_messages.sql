-- class: locks bank_messages, for less than 50 ms
-- The same of a message that is kept for a reviewer (rules/failure-codes#15).
alter table bank_messages add column said_by text, add column said_text text;
