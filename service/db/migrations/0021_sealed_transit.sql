-- class: locks ledger_checkpoints, for less than 50 ms
-- What a segment moved on the accounts in transit; nothing before there were any (rules/invariants#24).
alter table ledger_checkpoints add column sweep_in_transit bigint not null default 0;
alter table ledger_checkpoints add column top_up_in_transit bigint not null default 0;
alter table ledger_checkpoints add column return_in_transit bigint not null default 0;
