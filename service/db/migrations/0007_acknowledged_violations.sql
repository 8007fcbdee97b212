-- class: online
-- Two people have acknowledged what a proof found (rules/invariants#28); null: nobody has. In real time.
alter table ledger_proofs add column acknowledged_at timestamptz;
alter table ledger_proofs add column revision integer not null default 1;
