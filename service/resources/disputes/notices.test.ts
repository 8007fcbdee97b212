import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { creditDispute, liabilityMerchant, liabilityPlatform } from './moves.ts';
import { resolveApproved, resolvePartial } from './resolve.ts';

let ana: Person;
let cafe: Person;
const { api, at, balances, caseOf, engine, entries, server, shown, transactions } =
  await openDisputes();
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
  cafe = await api.banked('business');
});

const uuidOf = ({ id }: ReplyBody) => uuid('dispute', id);

/** A dispute of a payment of $100.00, after these events. */
async function disputed(...events: string[]): Promise<ReplyBody> {
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  const made = await api.played(api.dispute(ana, { payment_id: payment.id }), ...events);
  return { ...made, payment };
}

describe('a second notice of the same movement', () => {
  const linked = { code: 'invalid_state', details: { reason: 'linked' } };

  test('moves no money, refuses credit and determination, and ends with the first', async () => {
    const first = await disputed();
    const second = await api.dispute(ana, { payment_id: first.payment.id, type: 'error' });
    expect(await caseOf(second)).toMatchObject({
      status: 'received',
      linked_dispute_id: first.id,
      earmarked_amount: 0,
    });
    await api.played(second, 'dispute.investigating');
    for (const step of [
      'provisional_credit',
      'resolved_approved',
      'resolved_partial',
      'resolved_denied',
      'resolved_withdrawn',
    ])
      expect(await refusalOf(api.simulate(`dispute.${step}`, second.id))).toMatchObject(linked);
    await api.played(
      first,
      'dispute.investigating',
      'dispute.provisional_credit',
      'dispute.resolved_denied',
    );
    expect(await shown(second)).toMatchObject({ status: 'resolved', outcome: 'denied' });
    expect(await refusalOf(api.simulate('dispute.closed', second.id))).toMatchObject(linked);
    // A third notice comes before the credit is taken back.
    const third = await api.dispute(ana, { payment_id: first.payment.id });
    await server.runJobs();
    expect(await shown(third)).toMatchObject({ status: 'resolved', outcome: 'denied' });
    await api.played(first, 'dispute.closed');
    for (const one of [second, third])
      expect(await shown(one)).toMatchObject({ status: 'closed', outcome: 'denied' });
    expect(await entries(second)).toEqual([]);
  });

  test('brings its earlier deadline to the first', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    const first = await api.dispute(ana, { payment_id: payment.id, type: 'purchase_dispute' });
    expect(await caseOf(first)).toMatchObject({ deadlines: { provisional_credit: null } });
    const recent = await at(-3600);
    const before = await at(-5 * 86_400);
    await api.dispute(ana, { payment_id: payment.id, notice_received_at: recent });
    const { deadlines } = await caseOf(first);
    await api.dispute(ana, { payment_id: payment.id, notice_received_at: before });
    const { deadlines: earlier } = await caseOf(first);
    expect(earlier.provisional_credit < deadlines.provisional_credit).toBe(true);
    expect(earlier.result < deadlines.result).toBe(true);
    await api.dispute(ana, { payment_id: payment.id, notice_received_at: recent });
    expect((await caseOf(first)).deadlines).toEqual(earlier);
  });

  test("can name a Transaction of the payment; another customer's notice is not linked", async () => {
    const first = await disputed();
    const [sent] = await transactions(ana, 'payment_sent');
    const second = await api.dispute(ana, { transaction_id: sent.id });
    expect(await caseOf(second)).toMatchObject({ linked_dispute_id: first.id });
    const [received] = await transactions(cafe, 'payment_received');
    const theirs = await api.dispute(cafe, { transaction_id: received.id, type: 'error' });
    expect(await caseOf(theirs)).toMatchObject({
      linked_dispute_id: null,
      regulation_e: false,
      earmarked_amount: 0,
      disputed_amount: 100_00,
    });
  });
});

describe('movements without a payment', () => {
  test('are disputed by their Transaction, and the reserve bears the credit', async () => {
    const [load] = await transactions(ana, 'load');
    const made = await api.dispute(ana, { transaction_id: load.id, type: 'error' });
    expect(made).toMatchObject({ payment_id: null, transaction_id: load.id, regulation_e: true });
    await api.played(
      made,
      'dispute.investigating',
      'dispute.provisional_credit',
      'dispute.resolved_approved',
    );
    expect(await balances(ana)).toEqual([{ available: 1_000_00, earmarked: 0 }]);
    expect(await engine.refusal(liabilityMerchant, { id: uuidOf(made) })).toMatchObject({
      details: { reason: 'resolved' },
    });
    const again = await api.dispute(ana, { transaction_id: load.id, type: 'error' });
    expect(await caseOf(again)).toMatchObject({ disputed_amount: 0 });
  });

  test('have the amount of a pending withdrawal, and none of a failed one', async () => {
    const withdrawal = await api.confirmed(api.withdraw(ana, 20_00));
    const [pending] = await transactions(ana, 'withdrawal');
    const made = await api.dispute(ana, { transaction_id: pending.id });
    expect(await caseOf(made)).toMatchObject({ disputed_amount: 20_00, regulation_e: true });
    await api.played(made, 'dispute.resolved_withdrawn');
    await api.simulate('withdrawal.failed', withdrawal.id);
    const late = await api.dispute(ana, { transaction_id: pending.id });
    expect(await caseOf(late)).toMatchObject({ disputed_amount: null });
  });

  test('that the notice does not name have no amount until a reviewer sets one', async () => {
    const made = await api.dispute(ana, {});
    expect(made.regulation_e).toBe(true);
    const unknown = { code: 'invalid_state', details: { reason: 'amount_unknown' } };
    for (const step of ['resolved_approved', 'resolved_partial'])
      expect(await refusalOf(api.simulate(`dispute.${step}`, made.id))).toMatchObject(unknown);
    await api.played(made, 'dispute.investigating');
    expect(await refusalOf(api.simulate('dispute.provisional_credit', made.id))).toMatchObject(
      unknown,
    );
    await engine.run(creditDispute, { id: uuidOf(made), amount: 12_34 });
    expect(await caseOf(made)).toMatchObject({
      provisional_credit_amount: 12_34,
      disputed_amount: 12_34,
    });
    expect(await engine.refusal(resolvePartial, { id: uuidOf(made), amount: 12_35 })).toMatchObject(
      { code: 'parameter_invalid', details: { maximum: 12_34 } },
    );
    await engine.run(resolveApproved, { id: uuidOf(made) });
    expect(await shown(made)).toMatchObject({ status: 'closed', outcome: 'approved' });
  });

  test('and payments that were never completed have no amount that is credited automatically', async () => {
    const open = await api.pay(ana, cafe, 10_00);
    const made = await api.dispute(ana, { payment_id: open.id });
    expect(await caseOf(made)).toMatchObject({ disputed_amount: null, earmarked_amount: 0 });
    expect(
      await engine.refusal(resolveApproved, { id: uuidOf(made), amount: 10_01 }),
    ).toMatchObject({ code: 'parameter_invalid', details: { maximum: 10_00 } });
    await api.played(made, 'dispute.resolved_denied');
  });
});

test('a notice that is stamped by a clock some minutes ahead counts as received now', async () => {
  for (const seconds of [1, 290]) {
    const made = await api.dispute(ana, { notice_received_at: await at(seconds) });
    expect(made.notice_received_at).toBe(made.created_at);
  }
});

test('a notice of the future is refused with that fault alone', async () => {
  const { body } = await api.call('POST', '/v1/disputes', {
    headers: { 'idempotency-key': 'of-the-future' },
    body: {
      customer_id: ana.customerId,
      type: 'error',
      description: 'Twice',
      notice_received_at: await at(330),
    },
  });
  expect(body.error.message).toMatch(
    /^notice_received_at is more than 5 minutes after the Tenant's clock, which says 20\d\d-/,
  );
});

describe('refusals', () => {
  const codes = async (customer: Person, more: object) => {
    const { code, param, details } = await refusalOf(api.dispute(customer, more));
    return [code, param, details?.reason];
  };

  test('name what is unknown, of another movement or in the future', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 10_00));
    const [load] = await transactions(ana, 'load');
    const ben = await api.approved('individual');
    expect(await codes({ ...ana, customerId: 'cus_unknown' }, {})).toEqual([
      'not_found',
      'customer_id',
      undefined,
    ]);
    expect(await codes(ana, { payment_id: 'pay_unknown' })).toEqual([
      'not_found',
      'payment_id',
      undefined,
    ]);
    expect(await codes(ben, { payment_id: payment.id })).toEqual([
      'not_found',
      'payment_id',
      undefined,
    ]);
    expect(await codes(ben, { transaction_id: load.id })).toEqual([
      'not_found',
      'transaction_id',
      undefined,
    ]);
    expect(await codes(ana, { payment_id: payment.id, transaction_id: load.id })).toEqual([
      'parameter_invalid',
      'transaction_id',
      'of_another_movement',
    ]);
    expect(await codes(ana, { notice_received_at: await at(330) })).toEqual([
      'parameter_invalid',
      'notice_received_at',
      'in_the_future',
    ]);
    expect(await codes(ana, { notice_received_at: '2026-01-01T23:59:60Z' })).toEqual([
      'parameter_invalid',
      'notice_received_at',
      'not_an_instant',
    ]);
    // A payment and its Transaction are one movement.
    const [sent] = await transactions(ana, 'payment_sent');
    const both = await api.dispute(ana, { payment_id: payment.id, transaction_id: sent.id });
    expect(both).toMatchObject({ payment_id: payment.id, transaction_id: sent.id });
  });

  test("of a reviewer's liability or amount where the move does not take it", async () => {
    const made = await disputed();
    await engine.run(liabilityPlatform, { id: uuidOf(made) });
    const withAmount = { id: uuidOf(made), amount: 1_00 };
    expect(await engine.refusal(resolveApproved, withAmount)).toMatchObject({
      details: { reason: 'amount_known' },
    });
    expect(await engine.refusal(resolvePartial, { id: uuidOf(made) })).toMatchObject({
      code: 'parameter_missing',
      param: 'amount',
    });
    const unnamed = await api.dispute(ana, {});
    expect(await engine.refusal(liabilityMerchant, { id: uuidOf(unnamed) })).toMatchObject({
      details: { reason: 'no_merchant' },
    });
  });
});

test('GET lists disputes by customer and status, newest first, page by page', async () => {
  const made = [];
  for (let count = 0; count < 3; count += 1) made.push(await api.dispute(ana, {}));
  await api.played(made[1], 'dispute.resolved_denied');
  const list = async (query: string) => {
    const page = await api.get(`/v1/disputes?customer_id=${ana.customerId}${query}`);
    return page.data.map(({ id }: ReplyBody) => id);
  };
  const ids = made.map(({ id }) => id);
  expect(await list('')).toEqual([...ids].reverse());
  expect(await list('&status=closed')).toEqual([ids[1]]);
  const first = await api.get(`/v1/disputes?customer_id=${ana.customerId}&limit=2`);
  expect(first.has_more).toBe(true);
  expect(await list(`&limit=2&cursor=${first.next_cursor}`)).toEqual([ids[0]]);
  expect((await api.get('/v1/disputes?customer_id=cus_unknown')).data).toEqual([]);
  expect(await refusalOf(api.get('/v1/disputes?status=lost'))).toMatchObject({
    code: 'parameter_invalid',
  });
});
