-- class: online
-- Transfers that the bank executed after it had said that they failed (rules/bank-orders#27).
alter type entry_step add value 'sent_after_failure';
alter type entry_step add value 'received_after_failure';
