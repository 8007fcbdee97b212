import { Dispute } from '@tenant-payments/contract/resources/disputes.ts';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { liabilityMerchant } from './moves.ts';
import { resolvePartial } from './resolve.ts';

let ana: Person;
let cafe: Person;
const { api, balances, caseOf, engine, entries, shown } = await openDisputes();
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
  expect(await balances(ana, cafe)).toEqual([
    { available: 400_00, earmarked: 0 },
    { available: 0, earmarked: 100_00 },
  ]);
  expect(await engine.events(uuidOf(made))).toEqual(['dispute.created']);
});

describe('each outcome, to the cent', () => {
  test('approved after a credit: the customer keeps it and the platform bears it', async () => {
    const made = await disputed('dispute.investigating', 'dispute.provisional_credit');
    expect(await shown(made)).toMatchObject({
      status: 'provisional_credit',
      provisional_credit_amount: 100_00,
    });
    expect(await balances(ana)).toEqual([{ available: 500_00, earmarked: 0 }]);
    await api.played(made, 'dispute.resolved_approved');
    expect(await shown(made)).toMatchObject({
      status: 'closed',
      outcome: 'approved',
      provisional_credit_amount: 100_00,
      version: 5,
    });
    expect(await entries(made)).toEqual([
      'dispute_held available -10000',
      'dispute_held earmarked 10000',
      'dispute_credited reserve -10000',
      'dispute_credited available 10000 dispute_credit',
      'dispute_released earmarked -10000',
      'dispute_released available 10000',
    ]);
    expect(await engine.events(uuidOf(made))).toEqual([
      'dispute.created',
      'dispute.investigating',
      'dispute.provisional_credit',
      'dispute.resolved',
      'dispute.closed',
    ]);
  });

  test('approved against the merchant without a credit: its earmark pays the reserve', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    const made = await api.dispute(ana, { payment_id: payment.id, type: 'purchase_dispute' });
    expect(made.regulation_e).toBe(false);
    await api.played(made, 'dispute.resolved_approved');
    expect(await shown(made)).toMatchObject({
      status: 'closed',
      outcome: 'approved',
      provisional_credit_amount: null,
    });
    expect(await entries(made)).toEqual([
      'dispute_held available -10000',
      'dispute_held earmarked 10000',
      'dispute_credited reserve -10000',
      'dispute_credited available 10000 dispute_credit',
      'dispute_recovered earmarked -10000 adjustment',
      'dispute_recovered reserve 10000',
    ]);
    expect(await balances(ana, cafe)).toEqual([
      { available: 500_00, earmarked: 0 },
      { available: 0, earmarked: 0 },
    ]);
  });

  test('partially approved after a credit: the rest is taken back after five business days', async () => {
    const made = await disputed('dispute.investigating', 'dispute.provisional_credit');
    await engine.run(liabilityMerchant, { id: uuidOf(made) });
    await engine.run(resolvePartial, { id: uuidOf(made), amount: 30_01, finding: 'A part of it' });
    expect(await shown(made)).toMatchObject({
      status: 'resolved',
      outcome: 'partially_approved',
    });
    expect(await balances(ana, cafe)).toEqual([
      { available: 500_00, earmarked: 0 },
      { available: 69_99, earmarked: 0 },
    ]);
    await api.played(made, 'dispute.closed');
    expect(await balances(ana)).toEqual([{ available: 430_01, earmarked: 0 }]);
    expect((await entries(made)).slice(4)).toEqual([
      'dispute_recovered earmarked -3001 adjustment',
      'dispute_recovered reserve 3001',
      'dispute_released earmarked -6999',
      'dispute_released available 6999',
      'dispute_reversed available -6999 dispute_reversal',
      'dispute_reversed reserve 6999',
    ]);
    expect(await shown(made)).toMatchObject({
      status: 'closed',
      provisional_credit_amount: 100_00,
    });
  });

  test('a simulated partial award is half of what remains, rounded down', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 33_33));
    const made = await api.dispute(ana, { payment_id: payment.id });
    await api.played(made, 'dispute.resolved_partial');
    expect(await caseOf(made)).toMatchObject({ award_amount: 16_66, status: 'closed' });
  });

  test('denied: at most what is available is taken back, and the rest stays credited', async () => {
    const made = await disputed(
      'dispute.investigating',
      'dispute.provisional_credit',
      'dispute.resolved_denied',
    );
    expect(await caseOf(made)).toMatchObject({
      status: 'resolved',
      outcome: 'denied',
      // Determined on Tuesday, 20 January: the fifth business day after it is Tuesday, the 27th.
      deadlines: { reversal: '2026-01-28T05:00:00.000Z', provisional_credit: null, result: null },
    });
    await payOut(ana, 440_00);
    await api.advance(7.75 * 86_400);
    expect(await caseOf(made)).toMatchObject({
      status: 'closed',
      outcome: 'denied',
      award_amount: 0,
      taken_back_amount: 60_00,
    });
    expect(await balances(ana)).toEqual([{ available: 0, earmarked: 0 }]);
    // Money that is credited cannot be refunded too.
    expect(await refusalOf(api.refund(made.payment, 60_01))).toMatchObject({
      code: 'refund_exceeds_payment',
      details: { refundable_amount: 60_00 },
    });
    // Nor disputed again.
    const again = await api.dispute(ana, { payment_id: made.payment.id });
    expect(await caseOf(again)).toMatchObject({
      disputed_amount: 60_00,
      linked_dispute_id: null,
    });
  });

  test('denied or withdrawn without a credit: it closes at once and only the earmark was posted', async () => {
    for (const outcome of ['denied', 'withdrawn']) {
      const made = await disputed(`dispute.resolved_${outcome}`);
      expect(await shown(made)).toMatchObject({ status: 'closed', outcome, version: 3 });
      expect(await entries(made)).toEqual([
        'dispute_held available -10000',
        'dispute_held earmarked 10000',
        'dispute_released earmarked -10000',
        'dispute_released available 10000',
      ]);
    }
  });

  test('refunded by the merchant: the credit is taken back', async () => {
    const made = await disputed('dispute.investigating', 'dispute.provisional_credit');
    // Everything is credited, so only an earlier refund can still complete.
    expect(await refusalOf(api.refund(made.payment, 1))).toMatchObject({
      details: { refundable_amount: 0 },
    });
    const other = await disputed();
    const refund = await api.refund(other.payment, 100_00);
    await api.played(other, 'dispute.investigating', 'dispute.provisional_credit');
    await api.confirmed(refund);
    expect(await shown(other)).toMatchObject({
      status: 'resolved',
      outcome: 'refunded_by_merchant',
    });
    await api.played(other, 'dispute.closed');
    expect(await caseOf(other)).toMatchObject({ taken_back_amount: 100_00, award_amount: 0 });
  });
});
