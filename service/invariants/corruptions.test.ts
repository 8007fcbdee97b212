import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { House } from '../../test/harness/people.ts';
import { openSampleBook } from '../../test/harness/sample_book.ts';
import { checks, inspectBook } from './verify.ts';

let house: House;
let client: pg.PoolClient;

beforeAll(async () => {
  house = await openSampleBook();
  client = await house.test.service.pool.connect();
  await client.query('begin');
  // Only a superuser can: with the triggers off, entries and events are no longer append-only.
  await client.query('set local session_replication_role = replica');
});

beforeEach(() => client.query('savepoint intact'));
afterEach(() => client.query('rollback to savepoint intact'));

afterAll(async () => {
  await client.query('rollback');
  client.release();
  await house.test.stop();
});

/** One row of a table: `where row('payments', "status = 'completed'")`. */
const row = (table: string, where: string) =>
  `ctid = (select ctid from ${table} where ${where} order by ctid limit 1)`;

const completed = `status = 'completed'`;
const held = `step = 'payment_held' and pocket = 'available'`;
const credited = `step = 'payment_completed' and pocket = 'available'`;
const eventOf = (type: string) => row('events', `type = '${type}'`);
const rewrite = (type: string, from: string, to: string) =>
  `update events set body = replace(body, '${from}', '${to}') where ${eventOf(type)}`;

/** Each a single fault: the invariant that must find it, what was done, and the SQL that does it. */
const corruptions: readonly (readonly [invariant: string, deed: string, sql: string])[] = [
  [
    '1.movements',
    'an amount changed',
    `update entries set delta = delta + 1 where ${row('entries', held)}`,
  ],
  ['1.movements', 'an entry deleted', `delete from entries where ${row('entries', held)}`],
  [
    '1.posted_once',
    'a movement posted twice',
    `insert into entries select tenant_id, gen_random_uuid(), account_id, pocket, delta, number,
      balance_after, ledger_after, source_type, source_id, step, leg + 2, transaction_type, amount,
      fee_amount, counterpart_kind, counterpart_id, created_at from entries where ${held}`,
  ],
  ['1.movements', 'a leg renumbered', `update entries set leg = 9 where ${row('entries', held)}`],
  [
    '1.recipes',
    'an entry in a pocket that its recipe does not touch',
    `update entries set pocket = 'earmarked' where ${row('entries', held)}`,
  ],
  ['1.payments', 'a movement deleted', `delete from entries where step = 'payment_released'`],
  [
    '1.loads',
    'a settled load with another amount',
    `update loads set amount = amount + 1 where status = 'settled'`,
  ],
  ['2.pockets', 'a balance changed', `update balances set available = available + 1`],
  [
    '2.running',
    'a gap in the numbers of an account',
    `update entries set number = number + 1 where number > 2`,
  ],
  ['2.entry_count', 'a counter ahead', `update balances set entry_count = entry_count + 1`],
  [
    '2.running',
    'a running balance changed',
    `update entries set balance_after = balance_after + 1 where ${row('entries', held)}`,
  ],
  [
    '2.running',
    'a running ledger changed',
    `update entries set ledger_after = ledger_after + 1 where ${row('entries', credited)}`,
  ],
  [
    '2.running_columns',
    'a running balance on a tenant account',
    `update entries set balance_after = 0 where pocket = 'cash'`,
  ],
  ['3.cash', 'money from nowhere', `update balances set available = available + 1`],
  [
    '3.not_negative',
    'more fees swept than were taken',
    `update entries set delta = -delta where pocket = 'fees_tenant'`,
  ],
  [
    '4.ledger',
    'an entry that is no Transaction any more',
    `update entries set transaction_type = null, amount = null where ${row('entries', credited)}`,
  ],
  [
    '4.amounts',
    'a fee changed',
    `update entries set fee_amount = fee_amount + 1 where ${credited}`,
  ],
  [
    '4.events',
    'a Transaction that nobody was told of',
    `delete from events where ${eventOf('transaction.posted')}`,
  ],
  ['5.held_cents', 'a hold kept', `update payments set held_cents = 1 where ${completed}`],
  [
    '5.pending_outgoing',
    'a hold changed',
    `update payments set held_cents = held_cents + 1 where held_cents > 0`,
  ],
  [
    '5.earmarked',
    'money earmarked for nothing',
    `update balances set earmarked = 5, available = available - 5 where available > 5`,
  ],
  ['6.versions', 'an event missing', `delete from events where ${eventOf('payment.completed')}`],
  [
    '6.versions',
    'a gap in the versions',
    `update payments set version = 3 where ${completed};
      update events set version = 3 where type = 'payment.completed'`,
  ],
  [
    '6.moves',
    'a move that no lifecycle allows',
    rewrite('payment.canceled', '"status":"canceled"', '"status":"refunded"'),
  ],
  [
    '6.moves',
    'an event of another move',
    `update events set type = 'payment.failed' where ${eventOf('payment.canceled')}`,
  ],
  [
    '6.previous_attributes',
    'another earlier value',
    rewrite('payment.completed', '"status":"requires_confirmation"', '"status":"processing"'),
  ],
  [
    '6.previous_attributes',
    'a change that is not told',
    rewrite('payment.canceled', '{"status":"requires_confirmation"}', '{}'),
  ],
  [
    '6.previous_attributes',
    'a creation with earlier values',
    rewrite('payment.created', '"previous_attributes":null', '"previous_attributes":{}'),
  ],
  [
    '6.last_object',
    'a record changed around the engine',
    `update payments set description = 'by hand' where ${completed}`,
  ],
  [
    '6.times',
    'an event before the one before it',
    `update events set created_at = created_at - interval '1 day' where type = 'payment.completed'`,
  ],
  ['6.body', 'an event with the id of another', rewrite('load.settled', '"evt_', '"evt_0')],
  [
    '6.body',
    'a body cut short',
    `update events set body = left(body, 200) where ${eventOf('load.settled')}`,
  ],
  [
    '6.secrets',
    'a token in an event',
    rewrite('session.completed', '"token":null', '"token":"st_secret"'),
  ],
  [
    '6.records',
    'an event of a record that is not there',
    `update events set object_id = gen_random_uuid() where ${eventOf('owner.approved')}`,
  ],
  [
    '6.resources',
    'an event of no resource',
    `update events set object_type = 'wallet' where ${eventOf('owner.approved')}`,
  ],
  [
    '6.payments.times',
    'completed never',
    `update payments set completed_at = null where ${completed}`,
  ],
  ['6.payments.failure_code', 'failed without a reason', `update payments set status = 'failed'`],
  ['6.loads.times', 'settled never', `update loads set settled_at = null`],
  [
    '6.loads.failure_code',
    'settled with a reason',
    `update loads set failure_code = 'customer_refused'`,
  ],
  [
    '6.linked_accounts.failure_code',
    'failed without a reason',
    `update linked_accounts set status = 'failed'`,
  ],
  [
    '6.linked_accounts.capabilities',
    'a removed link that may still pay',
    `update linked_accounts set status = 'removed'`,
  ],
  [
    '7.refunded_amount',
    'refunded more than was paid',
    `update payments set refunded_amount = amount + 1, status = 'refunded' where ${completed}`,
  ],
  ['7.fees', 'fees above the amount', `update payments set platform_fee = amount + 1`],
  [
    '7.parties',
    'a consumer pays as a merchant',
    `update payments set type = 'merchant_to_merchant'`,
  ],
  [
    '8.paid_once',
    'a second payer',
    `update payments set payment_request_id = (select id from payment_requests where status = 'paid')
      where ${completed}`,
  ],
  ['8.paid_once', 'paid by nobody', `update payment_requests set paid_payment_id = null`],
  [
    '8.claimed_once',
    'a bank payment overtaken',
    `update payments set status = 'processing' where payment_request_id is not null`,
  ],
  [
    '8.amount',
    'a payment above what was asked for',
    `update payment_requests set amount = 1 where status = 'paid'`,
  ],
  ['8.types', 'a static request that was paid', `update payment_requests set status = 'paid'`],
  ['8.expiry_due', 'an expiry lost', `delete from due where what = 'payment_request_expiry'`],
  [
    '9.payments.waits',
    'a payment that nothing will end',
    `update payments set session_id = null where status = 'requires_confirmation'`,
  ],
  [
    '9.loads.waits',
    'a load with a deadline and a session',
    `insert into due select tenant_id, 'load_deadline', id, now(), now() from loads`,
  ],
  [
    '9.live_once',
    'a session for a payment that names another',
    `update payments set session_id = gen_random_uuid() where status = 'requires_confirmation'`,
  ],
  [
    '9.one_per_flow',
    'two live onboardings',
    `update sessions set status = 'created', flow = 'onboarding', target_id = null,
      target_type = null`,
  ],
  [
    '9.confirmed_once',
    'confirmed twice',
    `update sessions set target_id = (select id from payments where ${completed} limit 1)
      where status = 'completed'`,
  ],
  ['9.confirmed_once', 'confirmed by nobody', `update sessions set status = 'expired'`],
  ['9.end_due', 'a session that lives for ever', `delete from due where what = 'session_end'`],
  [
    '9.end_due',
    'an end that is due for nothing',
    `update sessions set status = 'expired' where status = 'created'`,
  ],
  ['9.timeout_due', 'a load that waits for ever', `delete from due where what = 'load_timeout'`],
  [
    '9.hold_due',
    'a hold that nobody lifts',
    `update linked_accounts set withdrawal_hold_until = now()`,
  ],
  ['9.instruction_due', 'an order never given', `delete from due where what = 'instruction'`],
  ['9.times', 'exchanged while it lives', `update sessions set exchanged_at = now()`],
  ['9.target', 'a confirmation of nothing', `update sessions set target_id = null`],
  [
    '10.closed',
    'an account closed with money in it',
    `update accounts set status = 'closed', closed_at = now()`,
  ],
  [
    '10.closed_records',
    'a payment of a closed account',
    `update accounts set status = 'closed', closed_at = now()`,
  ],
  ['10.suspended', 'suspended for no reason', `update accounts set status = 'suspended'`],
  ['10.waiting_claims', 'a claim that is not there', `update accounts set waiting_claims = 1`],
  [
    '10.one_link',
    'two active links',
    `drop index linked_accounts_active;
      update linked_accounts set customer_id = (select id from customers limit 1)`,
  ],
  ['10.holder', 'approved without an account', `update customers set account_id = null`],
  ['people.pin', 'a tenth try', `update pins set attempts = 9`],
  ['people.pin', 'a PIN lost', `delete from pins`],
  [
    'people.documents',
    'two versions in force',
    `insert into documents select tenant_id, gen_random_uuid(), customer_id, document_type, '2030-01',
      status, accepted_at, channel, created_at, updated_at, version from documents`,
  ],
  ['11.counters', 'a limit not given back', `update limit_counters set used = used + 1`],
  ['11.counters', 'a limit never counted', `delete from limit_counters`],
  ['13.effect', 'a key without its effect', `delete from payments where status = 'canceled'`],
  [
    '13.effect',
    'a payment made under two keys',
    `insert into idempotency select tenant_id, gen_random_uuid(), fingerprint, body, once_field,
      once_sealed, session_id, created_at from idempotency where once_field is not null`,
  ],
  ['13.stored', 'a reply lost', `update idempotency set body = null`],
  [
    '14.attempts',
    'attempts counted wrong',
    `update deliveries set attempts = 2 where attempts = 1`,
  ],
  [
    '14.delivered',
    'a false delivered',
    `update attempts set response_status = 503;
      update deliveries set last_response_status = 503 where attempts = 1`,
  ],
  ['14.last_attempt', 'another last answer', `update deliveries set last_response_status = 418`],
  ['14.next_attempt', 'retrying never', `update deliveries set next_attempt_at = null`],
];

const found = async () => {
  const { violations } = await inspectBook(client);
  return new Set(violations.map(({ invariant }) => invariant));
};

test.each(corruptions)('%s finds %s', async (invariant, _deed, sql) => {
  await client.query(sql);
  expect([...(await found())]).toContain(invariant);
});

const references = checks.map(({ name }) => name).filter((name) => name.startsWith('references.'));

test.each(references)('%s finds a row that names nothing', async (name) => {
  const [, table = '', column = ''] = name.split('.');
  const { rowCount } = await client.query(
    `update ${table} set ${column} = gen_random_uuid() where ${column} is not null`,
  );
  if (rowCount !== 0) expect([...(await found())]).toContain(name);
});

test('nothing is found where nothing was corrupted', async () => {
  expect([...(await found())]).toEqual([]);
});

test('every invariant is known to find something', () => {
  const proven = new Set(corruptions.map(([invariant]) => invariant));
  const queries = checks.map(({ name }) => name).filter((name) => !references.includes(name));
  expect(queries.filter((name) => !proven.has(name))).toEqual([]);
});
