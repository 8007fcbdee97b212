-- Single faults of a ledger: `-- the invariant that must find it: what was done`, then the SQL.

-- 1.movements: an amount changed
update entries set delta = delta + 1
  where ctid = (select ctid from entries
    where step = 'payment_held' and pocket = 'available' order by ctid limit 1);

-- 1.movements: an entry deleted
delete from entries where ctid = (select ctid from entries where step = 'payment_held'
  and pocket = 'available' order by ctid limit 1);

-- 1.posted_once: a movement posted twice
insert into entries select tenant_id, gen_random_uuid(), account_id, pocket, delta, number,
  balance_after, ledger_after, source_type, source_id, step, leg + 2, transaction_type, amount,
  fee_amount, counterpart_kind, counterpart_id, created_at from entries
  where step = 'payment_held' and pocket = 'available';

-- 1.append_only: entries that anybody may change
alter table entries disable trigger entries_append_only;

-- 1.append_only: events without a guard
alter table events disable trigger all;

-- 1.append_only: reviews without a guard
alter table reviews disable trigger all;

-- 1.append_only: a right to change entries
grant update on entries to tenant_payments_service;

-- 1.append_only: a right to delete events
grant delete on events to tenant_payments_service;

-- 1.append_only: a right to change reviews
grant update on reviews to tenant_payments_service;

-- 1.movements: a leg renumbered
update entries set leg = 9
  where ctid = (select ctid from entries
    where step = 'payment_held' and pocket = 'available' order by ctid limit 1);

-- 1.recipes: an entry in a pocket that its recipe does not touch
update entries set pocket = 'earmarked'
  where ctid = (select ctid from entries
    where step = 'payment_held' and pocket = 'available' order by ctid limit 1);

-- 1.payments: a movement deleted
delete from entries where step = 'payment_released';

-- 1.loads: a settled load with another amount
update loads set amount = amount + 1 where status = 'settled';

-- 1.withdrawals: a settled withdrawal of another amount
update withdrawals set amount = amount + 1 where status = 'settled';

-- 1.withdrawals: a withdrawal that failed and gave nothing back
delete from entries where step = 'withdrawal_released';

-- 1.refunds: a refund that reached another place than it says
update refunds set destination = 'balance'
  where status = 'completed' and destination = 'bank_account';

-- 1.refunds: a refund that failed and gave nothing back
delete from entries where step = 'refund_released';

-- 2.pockets: a balance changed
update balances set available = available + 1;

-- 2.running: a gap in the numbers of an account
update entries set number = number + 1 where number > 2;

-- 2.entry_count: a counter ahead
update balances set entry_count = entry_count + 1;

-- 2.account_revision: a balance that has not followed its account
update balances set account_revision = account_revision + 1;

-- 2.running: a running balance changed
update entries set balance_after = balance_after + 1
  where ctid = (select ctid from entries
    where step = 'payment_held' and pocket = 'available' order by ctid limit 1);

-- 2.running: a running ledger changed
update entries set ledger_after = ledger_after + 1
  where ctid = (select ctid from entries
    where step = 'payment_completed' and pocket = 'available' order by ctid limit 1);

-- 2.running_columns: a running balance on a tenant account
update entries set balance_after = 0 where pocket = 'cash';

-- 3.cash: money from nowhere
update balances set available = available + 1;

-- 3.not_negative: more fees swept than were taken
update entries set delta = -delta where pocket = 'fees_tenant';

-- 3.books: a load that says it came
update loads set status = 'settled'
  where ctid = (select ctid from loads where status <> 'settled' order by ctid limit 1);

-- 3.books: a fee of the platform that nobody booked
update payments set platform_fee = platform_fee + 1
  where ctid = (select ctid from payments where status = 'completed' order by ctid limit 1);

-- 3.books: a tenant's fee that nobody booked
update payments set tenant_fee = tenant_fee + 1
  where ctid = (select ctid from payments where status = 'completed' order by ctid limit 1);

-- 3.books: a reserve that grew by itself
update entries set delta = delta + 1 where pocket = 'reserve' and step = 'top_up_ordered';

-- 3.books: suspense that nobody was told of
insert into entries select tenant_id, gen_random_uuid(), null, 'suspense', 1, null, null, null,
  'adjustment', gen_random_uuid(), 'suspense_received', 1, null, null, null, null, null, now()
  from tenants;

-- 3.customers: a balance and its entries changed alike
update balances set available = available + 1;
  update entries set delta = delta + 1 where number = 1 and pocket = 'available';

-- 3.pool_bank: a tenant's share that left the pool
update tenants set settings = settings || '{"account_structure": "tenant_scheme"}';
  update entries set delta = delta + 1 where pocket = 'cash' and step = 'load_settled';

-- 3.orders: a load of another amount than was asked of the bank
update instructions set amount = amount + 1 where source_type = 'load';

-- 3.orders: money sent by no order
delete from instructions where source_type = 'withdrawal';

-- 3.orders: money that came by an order that was withdrawn
update instructions set status = 'withdrawn' where source_type = 'payment';

-- 3.orders: money that went where it should have come from
update instructions set kind = 'credit_transfer' where source_type = 'load';

-- 3.orders: money in suspense that no order brought
insert into suspense (tenant_id, id, amount, status, reason, source_type, source_id, created_at)
  select tenant_id, gen_random_uuid(), 1, 'held', 'late', 'load', gen_random_uuid(), now()
  from tenants;

-- 3.bank_facts: cash of a sweep that the bank has not answered
update instructions set answer = null where purpose = 'fee_sweep';

-- 3.bank_facts: money for the reserve that nobody ordered
delete from instructions where purpose = 'reserve_top_up';

-- 3.bank_facts: cash that left by itself
insert into entries select tenant_id, gen_random_uuid(), null, 'cash', -1, null, null, null,
  'adjustment', gen_random_uuid(), 'top_up_settled', 1, null, null, null, null, null, now()
  from tenants;

-- 1.booked_messages: a message that was booked, and moved nothing
insert into bank_messages (tenant_id, id, source_type, source_id, outcome, amount, record_status, status, created_at,
  closed_at, booked_at)
  select tenant_id, gen_random_uuid(), 'withdrawal', gen_random_uuid(), 'settled', 5, 'failed', 'closed', now(), now(), now()
  from tenants;

-- 1.booked_messages: money that came back once, and is booked from a message and in suspense
with m as (insert into bank_messages (tenant_id, id, source_type, source_id, outcome, amount, record_status, status,
    created_at, closed_at, booked_at)
    select tenant_id, gen_random_uuid(), 'withdrawal', gen_random_uuid(), 'returned', 5, 'failed', 'closed', now(), now(), now()
    from tenants returning tenant_id, id, source_id),
  e as (insert into entries select tenant_id, gen_random_uuid(), null, 'cash', -5, null, null, null,
    'adjustment', id, 'received_after_failure', 1, null, null, null, null, null, now() from m)
  insert into suspense (tenant_id, id, amount, status, reason, source_type, source_id, created_at)
    select tenant_id, gen_random_uuid(), 5, 'held', 'returned', 'withdrawal', source_id, now() from m;

-- 1.own_orders: a sweep of another amount than was taken from the fees
update instructions set amount = amount + 1 where purpose = 'fee_sweep';

-- 1.own_orders: an answer of which nothing was posted
delete from entries where step = 'top_up_settled';

-- 3.books: a sweep that says it failed
update instructions set answer = 'failed' where purpose = 'fee_sweep';

-- 4.ledger: an entry that is no Transaction any more
update entries set transaction_type = null, amount = null
  where ctid = (select ctid from entries
    where step = 'payment_completed' and pocket = 'available' order by ctid limit 1);

-- 4.amounts: a fee changed
update entries set fee_amount = fee_amount + 1
  where step = 'payment_completed' and pocket = 'available';

-- 4.events: a Transaction that nobody was told of
delete from events
  where ctid = (select ctid from events where type = 'transaction.posted' order by id limit 1);

-- 4.pending: a Transaction that is pending after its withdrawal has settled
update pending_transactions set status = 'pending' where status = 'posted';

-- 4.pending: a withdrawal under way that nobody sees
update withdrawals set transaction_id = null where status = 'processing';

-- 4.pending: a Transaction of another withdrawal's amount
update pending_transactions set amount = amount + 1;

-- 4.reversed: a failed withdrawal whose Transaction stands
update pending_transactions set status = 'posted' where status = 'reversed';

-- 4.handed_over: posted at another time than its entry
update pending_transactions set posted_at = posted_at + interval '1 hour';

-- 4.handed_over: an entry that began at another time
update entries set created_at = created_at - interval '1 hour' where posted_at is not null;

-- 5.held_cents: a hold kept
update payments set held_cents = 1 where status = 'completed';

-- 5.held_by_withdrawals: a withdrawal under way that holds nothing
update withdrawals set held_cents = 0 where status = 'processing';

-- 5.held_by_withdrawals: a withdrawal that failed and holds on
update withdrawals set held_cents = amount where status = 'failed';

-- 5.held_by_refunds: a refund that waits for money and holds it
update refunds set held_cents = amount where status = 'pending_funds';

-- 5.held_by_refunds: a refund that holds a part
update refunds set held_cents = 1 where status = 'requested';

-- 5.pending_outgoing: a hold changed
update payments set held_cents = held_cents + 1 where held_cents > 0;

-- 5.earmarked: money earmarked for nothing
update balances set earmarked = 5, available = available - 5 where available > 5;

-- 6.versions: an event missing
delete from events
  where ctid = (select ctid from events where type = 'payment.completed' order by id limit 1);

-- 6.versions: a gap in the versions
update payments set version = 3 where status = 'completed' and source = 'balance';
  update events set version = 3 where type = 'payment.completed'
    and object_id in (select id from payments where status = 'completed' and source = 'balance');

-- 6.moves: a move that no lifecycle allows
update events set body = replace(body, '"status":"canceled"', '"status":"refunded"')
 
  where ctid = (select ctid from events where type = 'payment.canceled' order by id limit 1);

-- 6.moves: an event of another move
update events set type = 'payment.failed'
 
  where ctid = (select ctid from events where type = 'payment.canceled' order by id limit 1);

-- 6.previous_attributes: another earlier value
update events set body = replace(body, '"status":"requires_confirmation"', '"status":"processing"')
 
  where ctid = (select ctid from events where type = 'payment.completed' order by id limit 1);

-- 6.previous_attributes: a change that is not told
update events set body = replace(body, '{"status":"requires_confirmation"}', '{}')
 
  where ctid = (select ctid from events where type = 'payment.canceled' order by id limit 1);

-- 6.previous_attributes: a creation with earlier values
update events set body = replace(body, '"previous_attributes":null', '"previous_attributes":{}')
 
  where ctid = (select ctid from events where type = 'payment.created' order by id limit 1);

-- 6.texts: a text lost before its time
update events set body = ''
 
  where ctid = (select ctid from events where type = 'payment.completed' order by id limit 1);

-- 6.texts: a text kept past its time
insert into event_retention select tenant_id, id from events order by id limit 1;

-- 6.last_object: a record changed around the engine
update payments set description = 'by hand' where status = 'completed';

-- 6.times: an event before the one before it
update events set created_at = created_at - interval '1 day' where type = 'payment.completed';

-- 6.body: an event of another environment
update events set body = replace(body, '"environment":"sandbox"', '"environment":"production"')
 
  where ctid = (select ctid from events where type = 'payment.completed' order by id limit 1);

-- 6.body: an event with the id of another
update events set body = replace(body, '"evt_', '"evt_0')
 
  where ctid = (select ctid from events where type = 'load.settled' order by id limit 1);

-- 6.body: a body cut short
update events set body = left(body, 200)
 
  where ctid = (select ctid from events where type = 'load.settled' order by id limit 1);

-- 6.secrets: a token in an event
update events set body = replace(body, '"token":null', '"token":"st_secret"')
 
  where ctid = (select ctid from events where type = 'session.completed' order by id limit 1);

-- 6.records: an event of a record that is not there
update events set object_id = gen_random_uuid()
 
  where ctid = (select ctid from events where type = 'owner.approved' order by id limit 1);

-- 6.payments.times: completed never
update payments set completed_at = null where status = 'completed';

-- 6.payments.failure_code: failed without a reason
update payments set status = 'failed';

-- 6.loads.times: settled never
update loads set settled_at = null;

-- 6.loads.failure_code: settled with a reason
update loads set failure_code = 'customer_refused';

-- 6.withdrawals.times: settled never
update withdrawals set settled_at = null;

-- 6.withdrawals.times: a payout that somebody confirmed
update withdrawals set confirmed_at = created_at where is_payout;

-- 6.withdrawals.failure_code: settled with a reason
update withdrawals set failure_code = 'account_closed' where status = 'settled';

-- 6.refunds.times: completed never
update refunds set completed_at = null;

-- 6.refunds.times: a refund that waits since nobody knows when
update refunds set waiting_since = null where status = 'pending_funds';

-- 6.refunds.failure_code: failed without a reason
update refunds set failure_code = null where status = 'failed';

-- 6.linked_accounts.failure_code: failed without a reason
update linked_accounts set status = 'failed';

-- 6.linked_accounts.capabilities: a removed link that may still pay
update linked_accounts set status = 'removed';

-- 7.refunded_amount: refunded more than was paid
update payments set refunded_amount = amount + 1, status = 'refunded' where status = 'completed';

-- 7.refunds: more under way than there are refunds
update payments set open_refunds = open_refunds + 1 where open_refunds > 0;

-- 7.refunds: a refund lost
delete from refunds where status = 'completed';

-- 7.destination: a refund to a bank that nobody knows
update refunds set linked_account_id = null where destination = 'bank_account';

-- 7.destination: a refund to somebody else
update refunds set payer_customer_id = merchant_customer_id;

-- 7.queue_due: a refund that waits for money that is there
update balances set available = available + 100000;

-- 7.fees: fees above the amount
update payments set platform_fee = amount + 1;

-- 7.parties: a consumer pays as a merchant
update payments set type = 'merchant_to_merchant';

-- 8.paid_once: a second payer
update payments set payment_request_id = (select id from payment_requests where status = 'paid')
  where status = 'completed';

-- 8.paid_once: paid by nobody
update payment_requests set paid_payment_id = null;

-- 8.claimed_once: a bank payment overtaken
update payments set status = 'processing' where payment_request_id is not null;

-- 8.claimed_once: a claim that its payment does not hold
update payment_requests set claimed_by = null where claimed_by is not null;

-- 8.claimed_once: a claim of a payment that has ended
update payment_requests set claimed_by = paid_payment_id where status = 'paid';

-- 8.amount: a payment above what was asked for
update payment_requests set amount = 1 where status = 'paid';

-- 8.types: a static request that was paid
update payment_requests set status = 'paid';

-- 8.expiry_due: an expiry lost
delete from jobs where name = 'payment_request_expiry';

-- 9.payments.waits: a payment that nothing will end
update payments set session_id = null where status = 'requires_confirmation';

-- 9.loads.waits: a load with a deadline and a session
insert into jobs select tenant_id, 'load_deadline', id, now(), now() from loads;

-- 9.withdrawals.waits: a withdrawal that nothing will end
update withdrawals set session_id = null where status = 'requires_confirmation';

-- 9.refunds.waits: a refund with a deadline and a session
insert into jobs select tenant_id, 'refund_deadline', id, now(), now() from refunds;

-- 9.live_once: a session for a payment that names another
update payments set session_id = gen_random_uuid() where status = 'requires_confirmation';

-- 9.one_per_flow: two live onboardings
update sessions set status = 'created', flow = 'onboarding', target_id = null,
  target_type = null;

-- 9.confirmed_once: confirmed twice
update sessions set target_id = (select id from payments where status = 'completed' limit 1)
  where status = 'completed';

-- 9.confirmed_once: confirmed by nobody
update sessions set status = 'expired';

-- 9.end_due: a session that lives for ever
delete from jobs where name = 'session_end';

-- 9.end_due: an end that is due for nothing
update sessions set status = 'expired' where status = 'created';

-- 9.timeout_due: a load that waits for ever
delete from jobs where name = 'load_timeout';

-- 9.payment_timeout_due: a bank payment that waits for ever
delete from jobs where name = 'payment_timeout';

-- 9.refund_wait_due: a refund that waits for money for ever
delete from jobs where name = 'refund_wait';

-- 9.hold_due: a hold that nobody lifts
update linked_accounts set withdrawal_hold_until = now();

-- 9.consent_due: numbers of a removed bank account that nobody forgets
update linked_accounts set status = 'removed', numbers_sealed = reference_sealed;

-- 9.instruction_due: an order never given
delete from jobs where name = 'instruction';

-- 9.hand_over_due: an order of which nobody knows whether the bank has it, and nobody asks
update instructions set status = 'unclear' where source_type = 'load';

-- 9.cancel_due: a request that nobody asks the bank to cancel
update instructions set status = 'closing', cancel = 'wanted' where source_type = 'load';

-- 9.query_due: an order of which nobody asks
update instructions set asked_at = now() where source_type = 'withdrawal';

-- 9.times: exchanged while it lives
update sessions set exchanged_at = now();

-- 9.lifetimes: a session that lives for a day
update sessions set bearer_hash = id, opened_at = created_at,
  ends_at = created_at + interval '1 day';

-- 9.target: a confirmation of nothing
update sessions set target_id = null;

-- 10.closed: an account closed with money in it
update accounts set status = 'closed', closed_at = now();

-- 10.closed_records: a payment of a closed account
update accounts set status = 'closed', closed_at = now();

-- 10.closing_due: an account that closes for ever
update accounts set status = 'closing', closed_at = null where status = 'closed';

-- 10.dormancy_due: an account that never becomes dormant
delete from jobs where name = 'dormancy';

-- 10.suspended: suspended for no reason
update accounts set status = 'suspended';

-- 10.restricted: a payment that a suspended customer may still confirm
update accounts set status = 'suspended', suspension_reasons = 'review' where id in
  (select payer_account_id from payments where status = 'requires_confirmation');

-- 10.payable: a withdrawal to another customer's bank
update withdrawals set linked_account_id = (select id from linked_accounts l
  where l.customer_id <> withdrawals.customer_id limit 1);

-- 10.payable: a withdrawal made before its link was verified
update withdrawals set created_at = created_at - interval '1 day'
  where ctid = (select ctid from withdrawals where not is_payout order by ctid limit 1);

-- 10.payable: a withdrawal during the hold
update events set body =
  replace(body, '"withdrawal_hold_until":null', '"withdrawal_hold_until":"2"')
  where ctid = (select ctid from events where type = 'linked_account.verified' order by id limit 1);

-- 10.payable: a withdrawal to a bank that cannot take it
update events set body = replace(body, '"withdrawal":true', '"withdrawal":false')
  where ctid = (select ctid from events
    where type = 'linked_account.verified' order by id limit 1);

-- 10.payable: a withdrawal confirmed after its link had failed
update events set type = 'linked_account.failed' where type = 'linked_account.verified';

-- 10.waiting_claims: a claim that is not there
update accounts set waiting_claims = 1;

-- 10.one_link: two active links
drop index linked_accounts_active;
  update linked_accounts set customer_id = (select id from customers limit 1);

-- 10.holder: approved without an account
update customers set account_id = null;

-- people.pin: a tenth try
update pins set attempts = 9;

-- people.pin: a PIN lost
delete from pins;

-- people.passkeys: a passkey that was removed and still works
update passkeys set removed_at = created_at;

-- people.passkeys: a PIN that outlives its account
update pins set hash = 'kept';

-- people.mobile: a number that two customers can have
update customers set mobile_hmac = null;

-- people.withdrawn: an approved customer who has withdrawn
update customers set withdrawn_reason = 'customer_request';

-- people.messages: a recipient that is kept after the message was sent
update customer_messages set status = 'sent', sent_at = now();

-- people.notices: a notice that was sent, and whose words nobody has
insert into notices (tenant_id, id, customer_id, kind, source_id, status, sent_at, created_at, kept_until)
select tenant_id, gen_random_uuid(), id, 'dispute_letter', id, 'sent', now(), now(), now() from customers;

-- people.notice_end_due: a notice that is kept for ever
insert into notices (tenant_id, id, customer_id, kind, source_id, status, task_at, created_at, kept_until)
select tenant_id, gen_random_uuid(), id, 'dispute_letter', id, 'task', now(), now(), now() from customers;

-- people.message_due: a customer who is never told
delete from jobs where name = 'customer_message';

-- people.progress: something done in a session that nobody opened
insert into session_progress
    (tenant_id, session_id, codes_sent, code_tries, code_verified)
  select tenant_id, id, 0, 0, false from sessions where opened_at is null limit 1;

-- people.erased: somebody erased by halves
update customers set erased_at = created_at
  where ctid = (select ctid from customers where email is not null order by ctid limit 1);

-- people.documents: two versions in force
insert into documents select tenant_id, gen_random_uuid(), customer_id, document_type, '2030-01',
  status, accepted_at, channel, created_at, updated_at, version from documents;

-- people.versions: a version from the future
update documents set document_version = '2030-01';

-- people.versions: versions lost
delete from document_versions;

-- people.terms: terms that wait for ever
update documents set status = 'pending_acceptance';

-- people.terms: a wait without cause
update customers set terms_due_at = created_at;

-- people.owners_status: complete too early
update owners set status = 'in_review';

-- people.owners_status: two in control
insert into owners select tenant_id, gen_random_uuid(),
  customer_id, name, role, ownership_percent, status, invited_at, created_at, updated_at, version
  from owners;

-- people.owner_links: a link of one who came
update owners set link_hash = id::text;

-- 9.rail_message_due: a provider's message that nobody acts on
insert into rail_messages (tenant_id, id, provider, message_id, port, digest, received_at, state)
  select tenant_id, gen_random_uuid(), 'bank', 'm', 'bank', gen_random_uuid(), now(), 'received' from tenants;

-- people.publication_due: a publication that stands still
insert into document_publications (tenant_id, id, document_type, document_version, created_at)
  select tenant_id, gen_random_uuid(), 'cip_notice', '2030-01', created_at from tenants;

-- people.spread_due: a version of which nobody is told
insert into document_publications (tenant_id, id, document_type, document_version, created_at, effective_at)
  select tenant_id, gen_random_uuid(), 'cip_notice', '2030-01', created_at, created_at from tenants;

-- people.terms_due: terms that wait for no day
insert into term_changes (tenant_id, id, pieces, consumers, effective_at, told_at, created_at)
  select tenant_id, gen_random_uuid(), '[]', 1, created_at, created_at, created_at from tenants;

-- people.terms_notice_due: terms of which nobody is told
insert into term_changes (tenant_id, id, pieces, reason, consumers, effective_at, ended_at, created_at)
  select tenant_id, gen_random_uuid(), '[]', 'x', 1, created_at, created_at, created_at from tenants;

-- 1.suspense: a sum that nobody received
insert into suspense (tenant_id, id, amount, status, reason, source_type, source_id, created_at)
  select tenant_id, gen_random_uuid(), 1, 'held', 'late', 'load', gen_random_uuid(), now()
  from tenants;

-- 1.return_requests: money taken without an answer
update return_requests set status = 'open', accepted_amount = null, answered_at = null where status = 'accepted';

-- 1.return_requests: an accepted request whose order is gone
delete from instructions where source_id = any (select id from return_requests);

-- 9.return_request_due: a request of which nobody would be told
delete from jobs where name = 'return_request_due';

-- 9.return_answer_due: an answer that the bank is never told
update return_requests set told = 'waiting' where status = 'accepted';

-- 1.received: money that nobody ordered, of another amount than the bank told
update received_money set amount = amount + 1;

-- 1.received: money that nobody ordered, and that the bank never told
delete from received_money;

-- 1.received: money for the reserve of another amount than had ended its order, booked nowhere
insert into received_money (tenant_id, id, provider_id, order_id, amount, created_at)
  select tenant_id, gen_random_uuid(), id::text, id, amount + 1, now() from instructions
  where purpose = 'reserve_top_up' and answer = 'settled';

-- 3.suspense: more held than is booked
insert into suspense (tenant_id, id, amount, status, reason, source_type, source_id, created_at)
  select tenant_id, gen_random_uuid(), 1, 'held', 'late', 'load', gen_random_uuid(), now()
  from tenants;

-- 11.counters: a limit not given back
update limit_counters set used = used + 1;

-- 11.counters: a limit never counted
delete from limit_counters;

-- 11.counters: a withdrawal that is not counted
update limit_counters set used = 0 where kind = 'withdrawal_daily';

-- 11.payouts: a sum that no withdrawal explains
insert into payout_sums (tenant_id, day, used) select tenant_id, current_date, 1 from tenants;

-- 11.within: a limit that was not asked
update limit_counters set at_most_cents = rose_to_cents - 1 where rose_to_cents > 0;

-- 13.effect: a key without its effect
delete from payments where status = 'canceled';

-- 13.effect: a payment made under two keys
insert into idempotency select tenant_id, gen_random_uuid(), fingerprint, body, once_field,
  once_sealed, session_id, created_at, event_id from idempotency where once_field is not null;

-- 13.effect: a withdrawal gone
delete from withdrawals where status = 'failed';

-- 13.effect: a refund gone
delete from refunds where status = 'failed';

-- 13.stored: a reply lost
update idempotency set body = null, event_id = null;

-- 14.attempts: attempts counted wrong
update deliveries set attempts = 2 where attempts = 1;

-- 14.delivered: a false delivered
update attempts set response_status = 503;
  update deliveries set last_response_status = 503 where attempts = 1;

-- 14.last_attempt: another last answer
update deliveries set last_response_status = 418;

-- 14.next_attempt: retrying never
update deliveries set next_attempt_at = null;

-- 14.schedule: a retry between two offsets
update deliveries set next_attempt_at = next_attempt_at + interval '7 seconds';

-- 14.schedule: a retry after the seventy-two hours
update deliveries set next_attempt_at = first_attempt_at + interval '96 hours';

-- 14.schedule: a schedule that began with no attempt
update attempts set at = at + interval '1 second';

-- 14.forward: an attempt before the first
insert into attempts (tenant_id, event_id, number, at, url, request_headers, duration_ms)
  select tenant_id, event_id, 2, at - interval '1 minute', url, request_headers, 1 from attempts;

-- 14.further_attempts: attempts counted wrong
update further_deliveries set attempts = 2 where attempts = 1;

-- 14.further_delivered: a false delivered
update further_attempts set response_status = 503;
  update further_deliveries set last_response_status = 503 where attempts = 1;

-- 14.further_last_attempt: another last answer
update further_deliveries set last_response_status = 418;

-- 14.further_next_attempt: retrying never
update further_deliveries set next_attempt_at = null;

-- 14.further_schedule: a retry between two offsets
update further_deliveries set next_attempt_at = next_attempt_at + interval '7 seconds';

-- 14.further_schedule: a retry after the seventy-two hours
update further_deliveries set next_attempt_at = first_attempt_at + interval '96 hours';

-- 14.further_schedule: a schedule that began with no attempt
update further_attempts set at = at + interval '1 second';

-- 14.further_forward: an attempt before the first
insert into further_attempts (tenant_id, event_id, endpoint_id, number, at, url, request_headers, duration_ms)
  select tenant_id, event_id, endpoint_id, 2, at - interval '1 minute', url, request_headers, 1 from further_attempts;

-- 14.delivers_to: an endpoint that gets nothing
update tenants set delivers_to = null;

-- 14.delivers_to: an endpoint that gets other types
update further_endpoints set types = '{payment.completed}';

-- 14.delivers_to: events for an endpoint that is disabled
update further_endpoints set enabled = false;

-- ranges.columns: a revision that has used half of its range
update payments set revision = 1073741825;

-- ranges.columns: legs that run out
update entries set leg = 16385
  where ctid = (select ctid from entries
    where step = 'payment_held' and pocket = 'available' order by ctid limit 1);

-- ranges.sequences: a sequence that runs out
create sequence runs_out as smallint; select setval('runs_out', 20000);

-- sealed.chain: a checkpoint removed
delete from ledger_checkpoints where number = 1;

-- sealed.chain: a checkpoint changed
update ledger_checkpoints set cash = cash + 1;

-- sealed.entries: an old entry changed that nothing else knows of
update entries set counterpart_id = gen_random_uuid() where counterpart_id is not null;

-- sealed.accounts: what an account held changed
update ledger_checkpoint_accounts set available = available + 1;

-- sealed.accounts_hash: what an account held lost
delete from ledger_checkpoint_accounts;
