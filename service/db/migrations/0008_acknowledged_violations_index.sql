-- class: online
-- What was acknowledged, which every proof reads.
create index concurrently ledger_proofs_acknowledged on ledger_proofs (tenant_id) where acknowledged_at is not null;
