-- class: locks withdrawals, for less than 50 ms
-- The amount is in payout_sums of its counted_day (rules/limits#25).
alter table withdrawals add column counted_in_payouts boolean not null default false;
