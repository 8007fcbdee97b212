-- Single faults of reports and statements, as in corruptions.sql.

-- 15.identity: a report that does not lead to its closing
update reconciliation_reports set withdrawals = withdrawals + 1 where day = '2026-01-21';

-- 15.days: a day left out
delete from reconciliation_reports where day = '2026-02-10';

-- 15.days: a day from before the tenant was
update reconciliation_reports set day = '2026-01-19' where day = '2026-01-20';

-- 15.days: a day that opens otherwise than the one before closed
update reconciliation_reports set opening_balance = opening_balance + 1,
  closing_balance = closing_balance + 1 where day = '2026-02-10';

-- 15.closing: all days ahead of the ledgers
update reconciliation_reports set opening_balance = opening_balance + 1,
  closing_balance = closing_balance + 1;

-- 15.closing: an entry that came after its day was reported
update entries set created_at = created_at + interval '1 day'
  where step = 'load_settled' and posted_at is null;

-- 15.totals: a load counted as an adjustment
update reconciliation_reports set loads = loads - 100, adjustments = adjustments + 100
  where day = '2026-01-20';

-- 15.totals: a payment by bank counted as one from a balance
update reconciliation_reports set payments_bank = 0,
  payments_balance = payments_balance + payments_bank
  where day = '2026-01-20';

-- 15.totals: fees that were never swept
update reconciliation_reports set fee_clearing_swept = 0;

-- 15.totals: a posting that is not in the file
update reconciliation_reports set postings_count = postings_count + 1;

-- 15.totals: a report of a day with postings that says nothing of them
update reconciliation_reports set postings_count = 0 where day = '2026-01-20';

-- 15.periods: a first period that begins after its account opened
update statements set period_start = period_start + 1
  where period_start = '2026-01-20' and account_id = (select account_id from loads
    where status = 'settled' limit 1);

-- 15.periods: a gap between two periods
update statements set period_start = period_start + 1
  where period_start = '2026-02-01' and account_id = (select account_id from loads
    where status = 'settled' limit 1);

-- 15.periods: a period of two months
delete from statements
  where period_start = '2026-02-01' and account_id = (select account_id from loads
    where status = 'settled' limit 1);
  update statements set period_end = '2026-02-28'
  where account_id = (select account_id from loads where status = 'settled' limit 1);

-- 15.periods: a period that opens otherwise than the one before closed
update statements set opening_balance = opening_balance + 1 where period_start = '2026-02-01';

-- 15.statement_closing: a statement that closes beside its ledger
update statements set closing_balance = closing_balance + 1
  where account_id = (select account_id from loads where status = 'settled' limit 1);

-- 15.statement_closing: an entry that came after its month had its statement
update entries set created_at = created_at + interval '15 days' where step = 'load_settled';

-- 15.position: a next statement that would leave days out
update statement_positions set covered_until = covered_until + 1
  where account_id = (select account_id from loads where status = 'settled' limit 1);

-- 15.position: a next statement that would open with another balance
update statement_positions set balance = balance + 1
  where account_id = (select account_id from loads where status = 'settled' limit 1);

-- 15.position: an account whose statements begin anew
delete from statement_positions;

-- 15.last_statement: a closed account without its last days
update accounts set closed_at = closed_at + interval '1 day' where status = 'closed';

-- 6.last_object: a report changed after it was told of
update reconciliation_reports set loads = loads + 1;
