-- class: online
-- Money that came without an order of its own (rules/received-money#1).
alter type entry_step add value 'unordered_received';
