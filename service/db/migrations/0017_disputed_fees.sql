-- class: online
-- The payer's fees of a payment, which a dispute's credit may give back (rules/disputes#7); null: none.
alter table payments add column disputed_fee_cents bigint;
