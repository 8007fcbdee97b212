-- Single faults of disputes, as in corruptions.sql.

-- 1.disputes: a credit gone
delete from entries where step = 'dispute_credited';

-- 1.disputes: an earmark of another amount
update disputes set earmarked_cents = 1
  where ctid = (select ctid from disputes
    where linked_to is null and linked_notices > 0 order by ctid limit 1);

-- 1.disputes: a credit that went elsewhere
update disputes set credit_route = 'sent'
  where ctid = (select ctid from disputes where outcome = 'denied' order by ctid limit 1);

-- 1.disputes: an award that nobody posted
update disputes set credited_cents = 1, award_cents = 1, credit_route = $$account$$
  where ctid = (select ctid from disputes where status = 'investigating' order by ctid limit 1);

-- 5.earmarked: an earmark forgotten
update disputes set held_cents = held_cents - 1
  where ctid = (select ctid from disputes
    where linked_to is null and linked_notices > 0 order by ctid limit 1);

-- 5.held_by_disputes: more held than was earmarked
update disputes set held_cents = held_cents + 1
  where ctid = (select ctid from disputes
    where linked_to is null and linked_notices > 0 order by ctid limit 1);

-- 5.held_by_disputes: an earmark kept after the end
update disputes set held_cents = 1
  where ctid = (select ctid from disputes where outcome = 'denied' order by ctid limit 1);

-- 5.held_by_disputes: a part that no refund took
update refunds set dispute_cents = 0, dispute_id = null where dispute_id is not null;

-- 5.taken_by_refunds: given back while it is open
update refunds set returned_cents = dispute_cents where dispute_id is not null;

-- 5.taken_by_refunds: more than the refund
update refunds set dispute_cents = amount + 1 where dispute_id is not null;

-- 6.disputes.times: resolved at no time
update disputes set resolved_at = null where outcome is not null;

-- 6.disputes.times: an outcome too early
update disputes set outcome = 'denied'
  where ctid = (select ctid from disputes where status = 'received' order by ctid limit 1);

-- 6.disputes.times: a credit of no amount
update disputes set provisional_credit_amount = null where status = 'provisional_credit';

-- 7.disputes: a credit not counted
update payments set disputed_cents = 0
  where ctid = (select ctid from payments where disputed_cents > 0 order by ctid limit 1);

-- 7.disputes: an award not counted
update payments set awarded_cents = 0
  where ctid = (select ctid from payments where awarded_cents > 0 order by ctid limit 1);

-- 7.awards: awards beyond the payment
update payments set awarded_cents = amount
  where ctid = (select ctid from payments where refunded_amount > 0 order by ctid limit 1);

-- 7.refunding: a refund that no bank is paying
update payments set refunding_cents = 0 where refunding_cents > 0;

-- 7.dispute_id: a payment that forgot its dispute
update payments set dispute_id = null where dispute_id is not null;

-- 12.credits: more credited than disputed
update disputes set disputed_cents = credited_cents - 1 where credited_cents > 0;

-- 12.credits: taken back of an award
update disputes set taken_back_cents = 1
  where ctid = (select ctid from disputes
    where status = 'provisional_credit' order by ctid limit 1);

-- 12.credits: another amount shown
update disputes set provisional_credit_amount = 1 where provisional_credit_amount > 1;

-- 12.came_back: a credit of a withdrawal that had failed since its notice
with failed as (update withdrawals set updated_at = '2000-01-01'
  where status = 'failed' and transaction_id is not null returning transaction_id)
update disputes set amount_by_staff = false, created_at = '1999-12-31',
  movement_id = (select transaction_id from failed limit 1)
  where ctid = (select ctid from disputes where credited_cents > 0 order by ctid limit 1);

-- 12.outcome: denied with an award
update disputes set award_cents = 1
  where ctid = (select ctid from disputes where outcome = 'denied' order by ctid limit 1);

-- 12.outcome: approved without
update disputes set award_cents = null where recovered_cents > 0;

-- 12.one_at_a_time: two that stand for themselves
drop index disputes_movement;
  update disputes set linked_to = null where linked_to is not null;

-- 12.linked: a linked notice that moved money
update disputes set award_cents = 1 where linked_to is not null;

-- 12.linked: a first that went alone
update disputes set status = 'resolved'
  where ctid = (select ctid from disputes
    where linked_to is null and linked_notices > 0 order by ctid limit 1);

-- 12.deadlines: an investigation without end
update disputes set result_due_at = null where result_due_at is not null;

-- 12.deadlines: a credit that never comes
update disputes set credit_due_at = null where credit_due_at is not null;

-- 12.no_deadlines: a deadline left
update disputes set result_due_at = created_at
  where ctid = (select ctid from disputes where outcome = 'denied' order by ctid limit 1);

-- 12.no_deadlines: a reversal forgotten
update disputes set reversal_due_at = null
  where ctid = (select ctid from disputes where outcome = 'denied' order by ctid limit 1);

-- 12.reasserted: a claim that was answered is paid by itself
update disputes set reasserted_of = gen_random_uuid()
  where ctid = (select ctid from disputes
    where linked_to is null and credited_cents > 0 order by ctid limit 1);

-- 12.refunded: a refund that nobody noticed
update disputes set disputed_cents = 1, refunded_before = -1
  where ctid = (select ctid from disputes
    where linked_to is null and linked_notices > 0 order by ctid limit 1);

-- 12.triage_due: a notice never taken up
delete from jobs where name = 'dispute_triage';

-- 12.credit_due: a credit that never falls due
delete from jobs where name = 'dispute_credit';

-- 12.credit_due: a credit that falls due too late
update jobs set due_at = due_at + interval '1 day' where name = 'dispute_credit';

-- 12.result_due: an end that nobody looks for
delete from jobs where name = 'dispute_result';

-- 12.credit_notice_due: a credit that is never told
delete from jobs where name = 'dispute_credit_notice';

-- 12.correction_due: an award that nobody looks after
delete from jobs where name = 'dispute_correction';

-- 12.result_notice_due: a result told at another time
update jobs set due_at = due_at + interval '1 day' where name = 'dispute_result_notice';

-- 12.reversal_due: a credit never taken back
delete from jobs where name = 'dispute_reversal';
