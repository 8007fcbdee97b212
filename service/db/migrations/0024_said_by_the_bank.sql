-- class: locks instructions, bank_messages, for less than 50 ms
-- Who refused an order, and the bank's own words (rules/failure-codes#15).
alter table instructions add column said_by text, add column said_text text;
alter table bank_messages add column said_by text, add column said_text text;
