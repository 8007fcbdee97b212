import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { resolvePartial } from './resolve.ts';

let ana: Person;
let cafe: Person;
const { api, balances, caseOf, engine, server, shown } = await openDisputes();
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

const payOut = (person: Person, amount: number) =>
  api.played(api.withdraw(person, amount), 'session.completed', 'withdrawal.settled');

const reserve = async (): Promise<number> => {
  const [row] = await engine.query(
    `select coalesce(sum(delta), 0)::bigint as cents from entries where tenant_id = $1 and pocket = 'reserve'`,
  );
  return row.cents;
};

describe('refunds during a dispute', () => {
  test('are paid from its earmark first, inside earmarked', async () => {
    const made = await disputed();
    const refund = await api.refund(made.payment, 40_00);
    expect(await balances(cafe)).toEqual([{ available: 0, earmarked: 100_00 }]);
    await api.confirmed(refund);
    expect(await caseOf(made)).toMatchObject({ earmarked_amount: 60_00 });
    expect(await api.get(`/v1/refund-requests/${refund.id}`)).toMatchObject({
      status: 'completed',
    });
    expect(await balances(cafe)).toEqual([{ available: 0, earmarked: 60_00 }]);
    // Then the credit is what remains.
    await api.played(
      made,
      'dispute.investigating',
      'dispute.provisional_credit',
      'dispute.resolved_approved',
    );
    expect(await caseOf(made)).toMatchObject({ award_amount: 60_00, status: 'closed' });
    expect(await balances(ana, cafe)).toEqual([
      { available: 500_00, earmarked: 0 },
      { available: 60_00, earmarked: 0 },
    ]);
  });

  test('that fail give their part back to an open dispute, or else to the merchant', async () => {
    const made = await disputed();
    await api.confirmed(api.pay(ana, cafe, 10_00));
    const declined = await api.refund(made.payment, 40_00);
    await api.simulate('session.canceled', declined.id, 'confirmation_declined');
    expect(await caseOf(made)).toMatchObject({ earmarked_amount: 100_00 });
    expect(await balances(cafe)).toEqual([{ available: 10_00, earmarked: 100_00 }]);
    const late = await api.refund(made.payment, 40_00);
    await api.played(made, 'dispute.resolved_denied');
    await api.simulate('session.canceled', late.id, 'confirmation_declined');
    expect(await balances(cafe)).toEqual([{ available: 110_00, earmarked: 0 }]);
  });

  test('that nobody has confirmed leave the earmark to the award, and none of it goes back to the merchant', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    const notice = { payment_id: payment.id, type: 'purchase_dispute' };
    const made = await api.dispute(ana, notice);
    const refund = await api.refund(payment, 100_00);
    expect(await caseOf(made)).toMatchObject({ earmarked_amount: 100_00, liability: 'merchant' });
    const before = await reserve();
    await api.played(made, 'dispute.resolved_approved');
    expect(await reserve()).toBe(before);
    await api.simulate('session.expired', refund.id);
    expect(await balances(ana, cafe)).toEqual([
      { available: 500_00, earmarked: 0 },
      { available: 0, earmarked: 0 },
    ]);
    expect(await reserve()).toBe(before);
  });

  test('wait while earmark and merchant together do not cover them', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    await payOut(cafe, 70_00);
    const made = await api.dispute(ana, { payment_id: payment.id });
    expect(await caseOf(made)).toMatchObject({
      disputed_amount: 100_00,
      earmarked_amount: 30_00,
    });
    const refund = await api.confirmed(api.refund(payment, 50_00));
    expect(await api.get(`/v1/refund-requests/${refund.id}`)).toMatchObject({
      status: 'pending_funds',
    });
    await api.confirmed(api.pay(ana, cafe, 20_00));
    expect(await api.get(`/v1/refund-requests/${refund.id}`)).toMatchObject({
      status: 'completed',
    });
    expect(await caseOf(made)).toMatchObject({ earmarked_amount: 0 });
  });

  test('that are open fail once an award leaves less, at confirmation and at their turn', async () => {
    const made = await disputed();
    const refund = await api.refund(made.payment, 60_00);
    const small = await api.refund(made.payment, 40_00);
    await engine.run(resolvePartial, { id: uuidOf(made), amount: 60_00, finding: 'A part of it' });
    for (const one of [refund, small]) await api.confirmed(one);
    const states = [refund, small].map(({ id }) => api.get(`/v1/refund-requests/${id}`));
    expect(await Promise.all(states)).toMatchObject([
      { status: 'failed', failure_code: 'dispute_credited' },
      { status: 'completed' },
    ]);
    expect(await balances(cafe)).toEqual([{ available: 60_00, earmarked: 0 }]);

    const other = await api.confirmed(api.pay(ana, cafe, 100_00));
    await payOut(cafe, 160_00);
    const waiting = await api.confirmed(api.refund(other, 80_00));
    const dispute = await api.dispute(ana, { payment_id: other.id });
    await api.played(dispute, 'dispute.resolved_approved');
    await api.confirmed(api.pay(ana, cafe, 1_00));
    expect(await api.get(`/v1/refund-requests/${waiting.id}`)).toMatchObject({
      status: 'failed',
      failure_code: 'dispute_credited',
    });
  });

  test('in processing at a bank block every determination', async () => {
    const payment = await api.confirmed(api.payByBank(ana, cafe, 90_00));
    await api.simulate('payment.completed', payment.id);
    const made = await api.dispute(ana, { payment_id: payment.id });
    // The payment came from the customer's account at its own bank.
    expect(made.regulation_e).toBe(false);
    const refund = await api.confirmed(api.refund(payment, 50_00));
    for (const step of ['approved', 'partial', 'denied', 'withdrawn'])
      expect(await refusalOf(api.simulate(`dispute.resolved_${step}`, made.id))).toMatchObject({
        code: 'invalid_state',
        details: { reason: 'refund_in_processing' },
      });
    await api.simulate('refund.completed', refund.id);
    await api.played(made, 'dispute.resolved_approved');
    expect(await caseOf(made)).toMatchObject({ award_amount: 40_00 });
  });

  test('before the notice reduce what is disputed, and a full one resolves it at once', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    await api.confirmed(api.refund(payment, 25_00));
    const made = await api.dispute(ana, { payment_id: payment.id });
    expect(await caseOf(made)).toMatchObject({ disputed_amount: 75_00 });
    await api.played(made, 'dispute.resolved_denied');
    await api.confirmed(api.refund(payment, 75_00));
    const late = await api.dispute(ana, { payment_id: payment.id });
    expect(late.status).toBe('received');
    await server.runJobs();
    expect(await shown(late)).toMatchObject({
      status: 'closed',
      outcome: 'refunded_by_merchant',
    });
  });
});
