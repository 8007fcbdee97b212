import { Dispute } from '@tenant-payments/contract/resources/disputes.ts';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DisputeDesk, openDisputeDesk } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { creditDispute, liabilityMerchant, liabilityPlatform } from './moves.ts';
import { resolveApproved, resolvePartial } from './resolve.ts';

let desk: DisputeDesk;
let ana: Person;
let cafe: Person;
beforeAll(async () => {
  desk = await openDisputeDesk();
});
beforeEach(async () => {
  ana = await desk.server.api.banked('individual');
  cafe = await desk.server.api.banked('business');
  await desk.server.api.fund(ana, 500_00);
});
afterAll(() => desk.server.stop());

const uuidOf = ({ id }: ReplyBody) => uuid('dispute', id);

/** A dispute of a payment of $100.00, after the given steps. */
async function disputed(...steps: string[]): Promise<ReplyBody> {
  const payment = await desk.paid(ana, cafe, 100_00);
  const made = await desk.notice(ana, { payment_id: payment.id });
  await desk.play(made, ...steps);
  return { ...made, payment };
}

test("a notice is received as sent, and the merchant's records do not show it", async () => {
  const made = await disputed();
  const { payment, ...shown } = made;
  expect(Value.Errors(Dispute, shown)).toEqual([]);
  expect(shown).toMatchObject({
    customer_id: ana.customerId,
    type: 'unauthorized_transfer',
    payment_id: payment.id,
    transaction_id: null,
    description: 'It was not me',
    regulation_e: true,
    status: 'received',
    provisional_credit_amount: null,
    outcome: null,
    version: 1,
  });
  expect(await desk.balances(ana, cafe)).toEqual([
    { available: 400_00, earmarked: 0 },
    { available: 0, earmarked: 100_00 },
  ]);
  expect(await desk.server.engine.events(uuidOf(made))).toEqual(['dispute.created']);
});

describe('each outcome, to the cent', () => {
  test('approved after a credit: the customer keeps it and the platform bears it', async () => {
    const made = await disputed('investigating', 'provisional_credit');
    expect(await desk.shown(made)).toMatchObject({
      status: 'provisional_credit',
      provisional_credit_amount: 100_00,
    });
    expect(await desk.balances(ana)).toEqual([{ available: 500_00, earmarked: 0 }]);
    await desk.play(made, 'resolved_approved');
    expect(await desk.shown(made)).toMatchObject({
      status: 'closed',
      outcome: 'approved',
      provisional_credit_amount: 100_00,
      version: 5,
    });
    expect(await desk.entries(made)).toEqual([
      'dispute_held available -10000',
      'dispute_held earmarked 10000',
      'dispute_credited reserve -10000',
      'dispute_credited available 10000 dispute_credit',
      'dispute_released earmarked -10000',
      'dispute_released available 10000',
    ]);
    expect(await desk.server.engine.events(uuidOf(made))).toEqual([
      'dispute.created',
      'dispute.investigating',
      'dispute.provisional_credit',
      'dispute.resolved',
      'dispute.closed',
    ]);
  });

  test('approved against the merchant without a credit: its earmark pays the reserve', async () => {
    const payment = await desk.paid(ana, cafe, 100_00);
    const made = await desk.notice(ana, { payment_id: payment.id, type: 'purchase_dispute' });
    expect(made.regulation_e).toBe(false);
    await desk.play(made, 'resolved_approved');
    expect(await desk.shown(made)).toMatchObject({
      status: 'closed',
      outcome: 'approved',
      provisional_credit_amount: null,
    });
    expect(await desk.entries(made)).toEqual([
      'dispute_held available -10000',
      'dispute_held earmarked 10000',
      'dispute_credited reserve -10000',
      'dispute_credited available 10000 dispute_credit',
      'dispute_recovered earmarked -10000 adjustment',
      'dispute_recovered reserve 10000',
    ]);
    expect(await desk.balances(ana, cafe)).toEqual([
      { available: 500_00, earmarked: 0 },
      { available: 0, earmarked: 0 },
    ]);
  });

  test('partially approved after a credit: the rest is taken back after five business days', async () => {
    const made = await disputed('investigating', 'provisional_credit');
    await desk.server.engine.run(liabilityMerchant, { id: uuidOf(made) });
    await desk.server.engine.run(resolvePartial, { id: uuidOf(made), amount: 30_01 });
    expect(await desk.shown(made)).toMatchObject({
      status: 'resolved',
      outcome: 'partially_approved',
    });
    expect(await desk.balances(ana, cafe)).toEqual([
      { available: 500_00, earmarked: 0 },
      { available: 69_99, earmarked: 0 },
    ]);
    await desk.play(made, 'closed');
    expect(await desk.balances(ana)).toEqual([{ available: 430_01, earmarked: 0 }]);
    expect((await desk.entries(made)).slice(4)).toEqual([
      'dispute_recovered earmarked -3001 adjustment',
      'dispute_recovered reserve 3001',
      'dispute_released earmarked -6999',
      'dispute_released available 6999',
      'dispute_reversed available -6999 dispute_reversal',
      'dispute_reversed reserve 6999',
    ]);
    expect(await desk.shown(made)).toMatchObject({
      status: 'closed',
      provisional_credit_amount: 100_00,
    });
  });

  test('a simulated partial award is half of what remains, rounded down', async () => {
    const payment = await desk.paid(ana, cafe, 33_33);
    const made = await desk.notice(ana, { payment_id: payment.id });
    await desk.play(made, 'resolved_partial');
    expect(await desk.case(made)).toMatchObject({ award_amount: 16_66, status: 'closed' });
  });

  test('denied: at most what is available is taken back, and the rest stays credited', async () => {
    const made = await disputed('investigating', 'provisional_credit', 'resolved_denied');
    expect(await desk.case(made)).toMatchObject({
      status: 'resolved',
      outcome: 'denied',
      // Determined on Tuesday, 20 January: the fifth business day after it is Tuesday, the 27th.
      deadlines: { reversal: '2026-01-28T05:00:00.000Z', provisional_credit: null, result: null },
    });
    await desk.drain(ana, 440_00);
    await desk.wire.advance(7.75 * 86_400);
    expect(await desk.case(made)).toMatchObject({
      status: 'closed',
      outcome: 'denied',
      award_amount: 0,
      taken_back_amount: 60_00,
    });
    expect(await desk.balances(ana)).toEqual([{ available: 0, earmarked: 0 }]);
    // What is credited cannot be refunded too.
    expect(await desk.wire.refund(made.payment, 60_01)).toMatchObject({
      code: 'refund_exceeds_payment',
      details: { refundable_amount: 60_00 },
    });
    // Nor disputed again.
    const again = await desk.notice(ana, { payment_id: made.payment.id });
    expect(await desk.case(again)).toMatchObject({
      disputed_amount: 60_00,
      linked_dispute_id: null,
    });
  });

  test('denied or withdrawn without a credit: it closes at once and only the earmark was posted', async () => {
    for (const [step, outcome] of [
      ['resolved_denied', 'denied'],
      ['resolved_withdrawn', 'withdrawn'],
    ] as const) {
      const made = await disputed(step);
      expect(await desk.shown(made)).toMatchObject({ status: 'closed', outcome, version: 3 });
      expect(await desk.entries(made)).toEqual([
        'dispute_held available -10000',
        'dispute_held earmarked 10000',
        'dispute_released earmarked -10000',
        'dispute_released available 10000',
      ]);
    }
  });

  test('refunded by the merchant: the credit is taken back', async () => {
    const made = await disputed('investigating', 'provisional_credit');
    // Everything is credited, so only an earlier refund can still complete.
    expect(await desk.wire.refund(made.payment, 1)).toMatchObject({
      details: { refundable_amount: 0 },
    });
    const other = await disputed();
    const refund = await desk.wire.refund(other.payment, 100_00);
    await desk.play(other, 'investigating', 'provisional_credit');
    await desk.wire.confirm(refund);
    expect(await desk.shown(other)).toMatchObject({
      status: 'resolved',
      outcome: 'refunded_by_merchant',
    });
    await desk.play(other, 'closed');
    expect(await desk.case(other)).toMatchObject({ taken_back_amount: 100_00, award_amount: 0 });
  });
});

describe('refunds during a dispute', () => {
  test('are paid from its earmark first, inside earmarked', async () => {
    const made = await disputed();
    const refund = await desk.wire.refund(made.payment, 40_00);
    expect(await desk.balances(cafe)).toEqual([{ available: 0, earmarked: 100_00 }]);
    expect(await desk.case(made)).toMatchObject({ earmarked_amount: 60_00 });
    await desk.wire.confirm(refund);
    expect(await desk.wire.get(`/v1/refund-requests/${refund.id}`)).toMatchObject({
      status: 'completed',
    });
    expect(await desk.balances(cafe)).toEqual([{ available: 0, earmarked: 60_00 }]);
    // Then the credit is what remains.
    await desk.play(made, 'investigating', 'provisional_credit', 'resolved_approved');
    expect(await desk.case(made)).toMatchObject({ award_amount: 60_00, status: 'closed' });
    expect(await desk.balances(ana, cafe)).toEqual([
      { available: 500_00, earmarked: 0 },
      { available: 60_00, earmarked: 0 },
    ]);
  });

  test('that fail give their part back to an open dispute, or else to the merchant', async () => {
    const made = await disputed();
    await desk.paid(ana, cafe, 10_00);
    const declined = await desk.wire.refund(made.payment, 40_00);
    await desk.wire.simulate('session.canceled', declined.id, 'confirmation_declined');
    expect(await desk.case(made)).toMatchObject({ earmarked_amount: 100_00 });
    expect(await desk.balances(cafe)).toEqual([{ available: 10_00, earmarked: 100_00 }]);
    const late = await desk.wire.refund(made.payment, 40_00);
    await desk.play(made, 'resolved_denied');
    await desk.wire.simulate('session.canceled', late.id, 'confirmation_declined');
    expect(await desk.balances(cafe)).toEqual([{ available: 110_00, earmarked: 0 }]);
  });

  test('wait while earmark and merchant together do not cover them', async () => {
    const payment = await desk.paid(ana, cafe, 100_00);
    await desk.drain(cafe, 70_00);
    const made = await desk.notice(ana, { payment_id: payment.id });
    expect(await desk.case(made)).toMatchObject({
      disputed_amount: 100_00,
      earmarked_amount: 30_00,
    });
    const refund = await desk.wire.refund(payment, 50_00);
    await desk.wire.confirm(refund);
    expect(await desk.wire.get(`/v1/refund-requests/${refund.id}`)).toMatchObject({
      status: 'pending_funds',
    });
    await desk.paid(ana, cafe, 20_00);
    expect(await desk.wire.get(`/v1/refund-requests/${refund.id}`)).toMatchObject({
      status: 'completed',
    });
    expect(await desk.case(made)).toMatchObject({ earmarked_amount: 0 });
  });

  test('that are open fail once an award leaves less, at confirmation and at their turn', async () => {
    const made = await disputed();
    const refund = await desk.wire.refund(made.payment, 60_00);
    const small = await desk.wire.refund(made.payment, 40_00);
    await desk.server.engine.run(resolvePartial, { id: uuidOf(made), amount: 60_00 });
    for (const one of [refund, small]) await desk.wire.confirm(one);
    const states = [refund, small].map(({ id }) => desk.wire.get(`/v1/refund-requests/${id}`));
    expect(await Promise.all(states)).toMatchObject([
      { status: 'failed', failure_code: 'dispute_credited' },
      { status: 'completed' },
    ]);
    expect(await desk.balances(cafe)).toEqual([{ available: 60_00, earmarked: 0 }]);

    const other = await desk.paid(ana, cafe, 100_00);
    await desk.drain(cafe, 160_00);
    const waiting = await desk.wire.refund(other, 80_00);
    await desk.wire.confirm(waiting);
    const dispute = await desk.notice(ana, { payment_id: other.id });
    await desk.play(dispute, 'resolved_approved');
    await desk.paid(ana, cafe, 1_00);
    expect(await desk.wire.get(`/v1/refund-requests/${waiting.id}`)).toMatchObject({
      status: 'failed',
      failure_code: 'dispute_credited',
    });
  });

  test('in processing at a bank block every determination', async () => {
    const payment = await desk.wire.payByBank(ana, {
      payee_customer_id: cafe.customerId,
      amount: 90_00,
    });
    await desk.wire.confirm(payment);
    await desk.wire.simulate('payment.completed', payment.id);
    const made = await desk.notice(ana, { payment_id: payment.id });
    // The payment came from the customer's account at its own bank.
    expect(made.regulation_e).toBe(false);
    const refund = await desk.wire.refund(payment, 50_00);
    await desk.wire.confirm(refund);
    for (const step of ['approved', 'partial', 'denied', 'withdrawn'])
      expect(await desk.wire.simulate(`dispute.resolved_${step}`, made.id)).toMatchObject({
        code: 'invalid_state',
        details: { reason: 'refund_in_processing' },
      });
    await desk.wire.simulate('refund.completed', refund.id);
    await desk.play(made, 'resolved_approved');
    expect(await desk.case(made)).toMatchObject({ award_amount: 40_00 });
  });

  test('before the notice reduce what is disputed, and a full one resolves it at once', async () => {
    const payment = await desk.paid(ana, cafe, 100_00);
    await desk.wire.confirm(await desk.wire.refund(payment, 25_00));
    const made = await desk.notice(ana, { payment_id: payment.id });
    expect(await desk.case(made)).toMatchObject({ disputed_amount: 75_00 });
    await desk.play(made, 'resolved_denied');
    await desk.wire.confirm(await desk.wire.refund(payment, 75_00));
    const late = await desk.notice(ana, { payment_id: payment.id });
    expect(late.status).toBe('received');
    await desk.settle();
    expect(await desk.shown(late)).toMatchObject({
      status: 'closed',
      outcome: 'refunded_by_merchant',
    });
  });
});

describe('a second notice of the same movement', () => {
  const linked = { code: 'invalid_state', details: { reason: 'linked' } };

  test('moves no money, refuses credit and determination, and ends with the first', async () => {
    const first = await disputed();
    const second = await desk.notice(ana, { payment_id: first.payment.id, type: 'error' });
    expect(await desk.case(second)).toMatchObject({
      status: 'received',
      linked_dispute_id: first.id,
      earmarked_amount: 0,
    });
    await desk.play(second, 'investigating');
    for (const step of [
      'provisional_credit',
      'resolved_approved',
      'resolved_partial',
      'resolved_denied',
      'resolved_withdrawn',
    ])
      expect(await desk.wire.simulate(`dispute.${step}`, second.id)).toMatchObject(linked);
    await desk.play(first, 'investigating', 'provisional_credit', 'resolved_denied');
    expect(await desk.shown(second)).toMatchObject({ status: 'resolved', outcome: 'denied' });
    expect(await desk.wire.simulate('dispute.closed', second.id)).toMatchObject(linked);
    // A third notice comes before the credit is taken back.
    const third = await desk.notice(ana, { payment_id: first.payment.id });
    await desk.settle();
    expect(await desk.shown(third)).toMatchObject({ status: 'resolved', outcome: 'denied' });
    await desk.play(first, 'closed');
    for (const one of [second, third])
      expect(await desk.shown(one)).toMatchObject({ status: 'closed', outcome: 'denied' });
    expect(await desk.entries(second)).toEqual([]);
  });

  test('brings its earlier deadline to the first', async () => {
    const payment = await desk.paid(ana, cafe, 100_00);
    const first = await desk.notice(ana, { payment_id: payment.id, type: 'purchase_dispute' });
    expect(await desk.case(first)).toMatchObject({ deadlines: { provisional_credit: null } });
    const [at, before] = [desk.at(-3600), desk.at(-5 * 86_400)];
    await desk.notice(ana, { payment_id: payment.id, notice_received_at: at });
    const { deadlines } = await desk.case(first);
    await desk.notice(ana, { payment_id: payment.id, notice_received_at: before });
    const { deadlines: earlier } = await desk.case(first);
    expect(earlier.provisional_credit < deadlines.provisional_credit).toBe(true);
    expect(earlier.result < deadlines.result).toBe(true);
    await desk.notice(ana, { payment_id: payment.id, notice_received_at: at });
    expect((await desk.case(first)).deadlines).toEqual(earlier);
  });

  test("can name a Transaction of the payment; another customer's notice is not linked", async () => {
    const first = await disputed();
    const [sent] = await desk.transactions(ana, 'payment_sent');
    const second = await desk.notice(ana, { transaction_id: sent.id });
    expect(await desk.case(second)).toMatchObject({ linked_dispute_id: first.id });
    const [received] = await desk.transactions(cafe, 'payment_received');
    const theirs = await desk.notice(cafe, { transaction_id: received.id, type: 'error' });
    expect(await desk.case(theirs)).toMatchObject({
      linked_dispute_id: null,
      regulation_e: false,
      earmarked_amount: 0,
      disputed_amount: 100_00,
    });
  });
});

describe('movements without a payment', () => {
  test('are disputed by their Transaction, and the reserve bears the credit', async () => {
    const [load] = await desk.transactions(ana, 'load');
    const made = await desk.notice(ana, { transaction_id: load.id, type: 'error' });
    expect(made).toMatchObject({ payment_id: null, transaction_id: load.id, regulation_e: true });
    await desk.play(made, 'investigating', 'provisional_credit', 'resolved_approved');
    expect(await desk.balances(ana)).toEqual([{ available: 1_000_00, earmarked: 0 }]);
    expect(await desk.server.engine.refusal(liabilityMerchant, { id: uuidOf(made) })).toMatchObject(
      {
        details: { reason: 'resolved' },
      },
    );
    const again = await desk.notice(ana, { transaction_id: load.id, type: 'error' });
    expect(await desk.case(again)).toMatchObject({ disputed_amount: 0 });
  });

  test('have the amount of a pending withdrawal, and none of a failed one', async () => {
    const withdrawal = await desk.wire.withdraw(ana, 20_00);
    await desk.wire.confirm(withdrawal);
    const [pending] = await desk.transactions(ana, 'withdrawal');
    const made = await desk.notice(ana, { transaction_id: pending.id });
    expect(await desk.case(made)).toMatchObject({ disputed_amount: 20_00, regulation_e: true });
    await desk.play(made, 'resolved_withdrawn');
    await desk.wire.simulate('withdrawal.failed', withdrawal.id);
    const late = await desk.notice(ana, { transaction_id: pending.id });
    expect(await desk.case(late)).toMatchObject({ disputed_amount: null });
  });

  test('that the notice does not name have no amount until a reviewer sets one', async () => {
    const made = await desk.notice(ana, {});
    expect(made.regulation_e).toBe(true);
    const unknown = { code: 'invalid_state', details: { reason: 'amount_unknown' } };
    for (const step of ['resolved_approved', 'resolved_partial'])
      expect(await desk.wire.simulate(`dispute.${step}`, made.id)).toMatchObject(unknown);
    await desk.play(made, 'investigating');
    expect(await desk.wire.simulate('dispute.provisional_credit', made.id)).toMatchObject(unknown);
    await desk.server.engine.run(creditDispute, { id: uuidOf(made), amount: 12_34 });
    expect(await desk.case(made)).toMatchObject({
      provisional_credit_amount: 12_34,
      disputed_amount: 12_34,
    });
    expect(
      await desk.server.engine.refusal(resolvePartial, { id: uuidOf(made), amount: 12_35 }),
    ).toMatchObject({ code: 'parameter_invalid', details: { maximum: 12_34 } });
    await desk.server.engine.run(resolveApproved, { id: uuidOf(made) });
    expect(await desk.shown(made)).toMatchObject({ status: 'closed', outcome: 'approved' });
  });

  test('and payments that were never completed have no amount that is credited automatically', async () => {
    const open = await desk.wire.pay(ana, { payee_customer_id: cafe.customerId, amount: 10_00 });
    const made = await desk.notice(ana, { payment_id: open.id });
    expect(await desk.case(made)).toMatchObject({ disputed_amount: null, earmarked_amount: 0 });
    expect(
      await desk.server.engine.refusal(resolveApproved, { id: uuidOf(made), amount: 10_01 }),
    ).toMatchObject({ code: 'parameter_invalid', details: { maximum: 10_00 } });
    await desk.play(made, 'resolved_denied');
  });
});

describe('refusals', () => {
  const codes = async (customer: Person, more: object) => {
    const { code, param, details } = await desk.notice(customer, more);
    return [code, param, details?.reason];
  };

  test('name what is unknown, of another movement or in the future', async () => {
    const payment = await desk.paid(ana, cafe, 10_00);
    const [load] = await desk.transactions(ana, 'load');
    const ben = await desk.server.api.approved('individual');
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
    expect(await codes(ana, { notice_received_at: desk.at(60) })).toEqual([
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
    const [sent] = await desk.transactions(ana, 'payment_sent');
    const both = await desk.notice(ana, { payment_id: payment.id, transaction_id: sent.id });
    expect(both).toMatchObject({ payment_id: payment.id, transaction_id: sent.id });
  });

  test("of a reviewer's liability or amount where the move does not take it", async () => {
    const made = await disputed();
    await desk.server.engine.run(liabilityPlatform, { id: uuidOf(made) });
    const withAmount = { id: uuidOf(made), amount: 1_00 };
    expect(await desk.server.engine.refusal(resolveApproved, withAmount)).toMatchObject({
      details: { reason: 'amount_known' },
    });
    expect(await desk.server.engine.refusal(resolvePartial, { id: uuidOf(made) })).toMatchObject({
      code: 'parameter_missing',
      param: 'amount',
    });
    const unnamed = await desk.notice(ana, {});
    expect(
      await desk.server.engine.refusal(liabilityMerchant, { id: uuidOf(unnamed) }),
    ).toMatchObject({
      details: { reason: 'no_merchant' },
    });
  });
});

describe('accounts that close', () => {
  test('wait for the disputes of customer and merchant', async () => {
    const made = await disputed('investigating', 'provisional_credit');
    for (const { customerId } of [ana, cafe])
      await desk.wire.post(`/v1/customers/${customerId}/close`, { reason: 'customer_request' });
    for (const { accountId } of [ana, cafe])
      expect(await desk.wire.simulate('account.closed', accountId)).toMatchObject({
        details: { reason: 'disputes' },
      });
    await desk.play(made, 'resolved_denied');
    // The merchant can close; the customer's credit is not yet taken back.
    expect(await desk.wire.simulate('account.closed', ana.accountId)).toMatchObject({
      details: { reason: 'disputes' },
    });
    await desk.play(made, 'closed');
    for (const { accountId } of [ana, cafe])
      expect(await desk.wire.simulate('account.closed', accountId)).toMatchObject({
        status: 'accepted',
      });
  });

  /** Closes Ana's account after the payout to her bank. */
  async function closed(): Promise<ReplyBody> {
    const payment = await desk.paid(ana, cafe, 100_00);
    await desk.wire.post(`/v1/customers/${ana.customerId}/close`, { reason: 'customer_request' });
    await desk.settle();
    await desk.wire.simulate('account.closed', ana.accountId);
    return payment;
  }

  test('are credited at their bank, and nothing is taken back', async () => {
    const payment = await closed();
    const made = await desk.notice(ana, { payment_id: payment.id });
    expect(made.regulation_e).toBe(true);
    await desk.play(made, 'investigating', 'provisional_credit');
    expect(await desk.shown(made)).toMatchObject({ provisional_credit_amount: 100_00 });
    await desk.tellBank(made, { outcome: 'settled', amount: 100_00 });
    await desk.play(made, 'resolved_denied');
    expect(await desk.case(made)).toMatchObject({ status: 'closed', taken_back_amount: 0 });
    expect((await desk.entries(made)).slice(2)).toEqual([
      'dispute_credit_sent reserve -10000',
      'dispute_credit_sent cash 10000',
      'dispute_released earmarked -10000',
      'dispute_released available 10000',
    ]);
    expect(await desk.transactions(ana, 'dispute_credit')).toEqual([]);
  });

  test('have the credit in suspense if the bank rejects it or no link is left', async () => {
    const payment = await closed();
    const made = await desk.notice(ana, { payment_id: payment.id });
    await desk.play(made, 'resolved_approved');
    await desk.tellBank(made, { outcome: 'failed', reason: 'AC04' });
    expect(await desk.suspended(made)).toEqual([100_00]);

    cafe = await desk.server.api.banked('business');
    ana = await desk.server.api.banked('individual');
    await desk.server.api.fund(ana, 100_00);
    const other = await closed();
    await desk.unlink(ana);
    const second = await desk.notice(ana, { payment_id: other.id });
    await desk.play(second, 'resolved_approved');
    expect(await desk.suspended(second)).toEqual([100_00]);
  });
});

test('GET lists disputes by customer and status, newest first, page by page', async () => {
  const made = [];
  for (let count = 0; count < 3; count += 1) made.push(await desk.notice(ana, {}));
  await desk.play(made[1], 'resolved_denied');
  const list = async (query: string) => {
    const page = await desk.wire.get(`/v1/disputes?customer_id=${ana.customerId}${query}`);
    return page.data.map(({ id }: ReplyBody) => id);
  };
  const ids = made.map(({ id }) => id);
  expect(await list('')).toEqual([...ids].reverse());
  expect(await list('&status=closed')).toEqual([ids[1]]);
  const first = await desk.wire.get(`/v1/disputes?customer_id=${ana.customerId}&limit=2`);
  expect(first.has_more).toBe(true);
  expect(await list(`&limit=2&cursor=${first.next_cursor}`)).toEqual([ids[0]]);
  expect((await desk.wire.get('/v1/disputes?customer_id=cus_unknown')).data).toEqual([]);
  expect((await desk.wire.get('/v1/disputes?status=lost')).error.code).toBe('parameter_invalid');
});
