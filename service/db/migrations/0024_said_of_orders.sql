-- class: locks instructions, for less than 50 ms
-- Who refused an order, and the bank's own words (rules/failure-codes#15).
alter table instructions add column said_by text, add column said_text text;
