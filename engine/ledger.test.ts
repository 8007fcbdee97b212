import { expect, test } from 'vitest';
import { entriesOf, type Posting } from './ledger.ts';

let made = 0;
const source = {
  tenantId: 't',
  type: 'payment',
  id: 'p',
  at: '2026-11-21T00:00:00.000Z',
  newId: () => `e${++made}`,
};

const completed = (
  amount: number,
  payeeFee: number,
  payerFee = 0,
): Posting<'payment_completed'> => ({
  recipe: 'payment_completed',
  parties: { payer: 'payer', payee: 'payee' },
  amounts: {
    net: amount - payeeFee,
    platform_fees: payeeFee + payerFee,
    tenant_fees: 0,
    payer_fees: payerFee,
    payee_fees: payeeFee,
  },
  counterparts: { payer: null, payee: null },
  description: null,
});

const shown = (posting: Posting<'payment_completed'>) =>
  entriesOf(source, posting).map(({ pocket, delta, amount, fee }) => ({
    pocket,
    delta,
    amount,
    fee,
  }));

test('debit: net = amount + fee; credit: net = amount - fee; tenant accounts have neither', () => {
  expect(shown(completed(10_000, 50, 30))).toEqual([
    { pocket: 'pending_outgoing', delta: -10_030, amount: 10_000, fee: 30 },
    { pocket: 'available', delta: 9_950, amount: 10_000, fee: 50 },
    { pocket: 'fees_platform', delta: 80, amount: null, fee: null },
  ]);
});

test('a payment whose fees take all of it is still a Transaction of its payee, of its gross amount', () => {
  expect(shown(completed(3, 3))).toContainEqual({
    pocket: 'available',
    delta: 0,
    amount: 3,
    fee: 3,
  });
});

test('the entries of every movement sum to zero', () => {
  const deltas = entriesOf(source, completed(1_234, 7, 11)).map((entry) => entry.delta);
  expect(deltas.reduce((sum, delta) => sum + delta, 0)).toBe(0);
});

test('an amount that is negative or no whole number of cents is never posted', () => {
  expect(() => entriesOf(source, completed(0.5, 0))).toThrow('cents');
  expect(() => entriesOf(source, completed(1, 2))).toThrow('cents');
});
