import type { FeeRule } from '@tenant-payments/contract/core/settings.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOf } from '../../../test/kit/seed.ts';
import { computeFees, feesOf } from './fees.ts';

const rule = (more: Partial<FeeRule>): FeeRule => ({
  type: 'platform',
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 50,
  fixed: 0,
  paid_by: 'payee',
  ...more,
});
const payment = (amount: number) =>
  ({ type: 'consumer_to_merchant', source: 'balance', amount }) as const;

test.each([
  [10_000, 50],
  [99, 0],
  [100, 1],
  [299, 1],
  [300, 2],
])('a fee of 50 basis points of %i cents is %i, rounded half up', (amount, fee) => {
  expect(computeFees([rule({})], payment(amount)).platform_fee).toBe(fee);
});

test("fees of the payee never exceed the amount: the platform's first, the Tenant's takes what is left", () => {
  const rules = [
    rule({ basis_points: 0, fixed: 80 }),
    rule({ type: 'tenant', basis_points: 0, fixed: 80 }),
  ];
  expect(computeFees(rules, payment(100))).toMatchObject({ platform_fee: 80, tenant_fee: 20 });
});

test('a fee of the payer is not capped and not taken from the payee', () => {
  const fees = computeFees([rule({ basis_points: 0, fixed: 500, paid_by: 'payer' })], payment(100));
  expect(feesOf(fees)).toMatchObject({ payerCents: 500, payeeCents: 0 });
});

test('a rule of another payment type or source does not apply', () => {
  const fees = computeFees([rule({ payment_type: 'merchant_to_merchant' })], payment(100));
  expect(feesOf(fees).shown).toEqual([]);
});

test("whatever the rules, the payee's net amount is never below zero", () => {
  const anyRule = fc.record({
    type: fc.constantFrom('platform' as const, 'tenant' as const),
    basis_points: fc.integer({ min: 0, max: 10_000 }),
    fixed: fc.integer({ min: 0, max: 1_000_000 }),
    paid_by: fc.constantFrom('payer' as const, 'payee' as const),
  });
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 2 }), fc.integer({ min: 1 }), (rules, amount) => {
      const fees = feesOf(computeFees(rules.map(rule), payment(amount)));
      expect(fees.payeeCents).toBeLessThanOrEqual(amount);
      expect(fees.payerCents).toBeGreaterThanOrEqual(0);
    }),
    { seed: seedOf(process.env) },
  );
});
