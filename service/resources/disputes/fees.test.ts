import type { FeeRule } from '@tenant-payments/contract/core/settings.ts';
import { beforeAll, expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { choicesOf, seedOf } from '../../../test/kit/seed.ts';
import { resolvePartial } from './resolve.ts';

/** Fees come back with an error or an unauthorized transfer (rules/disputes#7; 12 CFR 1005, comment 11(c)-6). */

let ana: Person;
let cafe: Person;
const { api, engine, shown, caseOf } = await openDisputes();
beforeAll(async () => {
  ana = await api.funded('individual', 3_000_00);
  cafe = await api.banked('business');
});

const rule = (type: FeeRule['type'], paid_by: FeeRule['paid_by'], fixed: number): FeeRule => ({
  type,
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 0,
  fixed,
  paid_by,
});
const withFees = (...fees: FeeRule[]) => engine.change({ fees });
const credited = ['dispute.investigating', 'dispute.provisional_credit'] as const;
const available = async (person: Person) => (await api.balance(person)).available as number;
const moveOn = async (refundOf: { id: string }, amount: number) =>
  amount > 0 ? api.confirmed(api.refund(refundOf, amount)) : null;

test('a debit of $53 that was not authorized comes back as $53', async () => {
  await withFees(rule('platform', 'payer', 2_00), rule('tenant', 'payer', 1_00));
  const before = await available(ana);
  const payment = await api.confirmed(api.pay(ana, cafe, 50_00));
  expect(await available(ana)).toBe(before - 53_00);
  const notice = { payment_id: payment.id, type: 'unauthorized_transfer' };
  const made = await api.played(api.dispute(ana, notice), ...credited);
  expect(await shown(made)).toMatchObject({ provisional_credit_amount: 53_00 });
  // The merchant had 50 of it.
  expect(await caseOf(made)).toMatchObject({ disputed_amount: 53_00, earmarked_amount: 50_00 });
  await api.simulate('dispute.resolved_approved', made.id);
  expect(await available(ana)).toBe(before);
  expect(await refusalOf(api.refund(payment, 1))).toMatchObject({
    code: 'refund_exceeds_payment',
    details: { refundable_amount: 0 },
  });
});

test('a bad purchase gives back what was paid for it, and no fee', async () => {
  await withFees(rule('platform', 'payer', 3_00));
  const before = await available(ana);
  const payment = await api.confirmed(api.pay(ana, cafe, 50_00));
  const made = await api.dispute(ana, { payment_id: payment.id, type: 'purchase_dispute' });
  expect(await caseOf(made)).toMatchObject({ disputed_amount: 50_00, earmarked_amount: 50_00 });
  await api.played(made, 'dispute.investigating', 'dispute.resolved_approved');
  expect(await available(ana)).toBe(before - 3_00);
});

test('of a payment that was refunded whole, the fee is still in dispute', async () => {
  await withFees(rule('tenant', 'payer', 3_00));
  const before = await available(ana);
  const payment = await api.confirmed(api.pay(ana, cafe, 50_00));
  await moveOn(payment, 50_00);
  const made = await api.played(
    api.dispute(ana, { payment_id: payment.id, type: 'error' }),
    ...credited,
    'dispute.resolved_approved',
  );
  expect(await caseOf(made)).toMatchObject({ award_amount: 3_00, earmarked_amount: 0 });
  expect(await available(ana)).toBe(before);
});

test('after an approved claim the account stands as if the movement had never been, whoever bears the fees and whatever was refunded', async () => {
  const seed = seedOf(process.env);
  const choices = choicesOf(seed, 'disputed fees');
  for (let round = 0; round < 25; round += 1) {
    const bearer = () => choices.pick(['payer', 'payee'] as const);
    await withFees(
      rule('platform', bearer(), choices.below(3_00)),
      rule('tenant', bearer(), choices.below(3_00)),
    );
    const amount = 10_00 + choices.below(90_00);
    const [early, late] = [choices.below(amount / 2), choices.below(amount / 2)];
    const before = await available(ana);
    const payment = await api.confirmed(api.pay(ana, cafe, amount));
    await moveOn(payment, choices.percent(50) ? early : 0);
    const type = choices.pick(['error', 'unauthorized_transfer'] as const);
    const dispute = await api.dispute(ana, { payment_id: payment.id, type });
    await moveOn(payment, choices.percent(50) ? late : 0);
    const steps = choices.percent(50) ? credited : (['dispute.investigating'] as const);
    await api.played(dispute, ...steps, 'dispute.resolved_approved');
    expect([seed, round, await available(ana)]).toEqual([seed, round, before]);
  }
});

test('a partial award and later refunds together give back no more than was debited', async () => {
  await withFees(rule('platform', 'payer', 3_00));
  const before = await available(ana);
  const payment = await api.confirmed(api.pay(ana, cafe, 50_00));
  const notice = { payment_id: payment.id, type: 'error' };
  const made = await api.played(api.dispute(ana, notice), 'dispute.investigating');
  await engine.run(resolvePartial, {
    id: uuid('dispute', made.id),
    amount: 30_00,
    finding: 'A part of it',
  });
  expect(await refusalOf(api.refund(payment, 23_01))).toMatchObject({
    details: { refundable_amount: 23_00 },
  });
  await moveOn(payment, 23_00);
  expect(await available(ana)).toBe(before);
});
