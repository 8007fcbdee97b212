import type { Confirmation } from '@tenant-payments/contract/hosted/view.ts';
import { expect, test } from 'vitest';
import { money } from '../../ui/money.ts';
import { texts } from '../texts/en.ts';
import { rowsOf } from './places.ts';

const balance = { type: 'balance', institution_name: null, account_mask: null } as const;
const bank = {
  type: 'bank_account',
  institution_name: 'Standard Bank',
  account_mask: '1234',
} as const;

const payment: Confirmation = {
  type: 'payment',
  id: 'pay_1',
  status: 'requires_confirmation',
  failure_code: null,
  amount: 2_400,
  fees: [],
  total: 2_400,
  counterparty: 'Corner Cafe',
  collection_point: 'Counter 1',
  description: null,
  order_reference: 'A-1',
  invoice_reference: null,
  from: balance,
  to: null,
};

const shown = (confirmation: Confirmation) =>
  rowsOf(confirmation, texts.confirm, (cents) => money(cents, 'en')).map(({ name, value }) => [
    name,
    value,
  ]);

test('a payer sees to whom, where, what for, from where and at what cost', () => {
  expect(shown(payment)).toEqual([
    ['To', 'Corner Cafe'],
    ['At', 'Counter 1'],
    ['Order', 'A-1'],
    ['From', 'Your balance'],
    ['Fee', 'None'],
  ]);
});

test('a fee that the payer bears has a row, and so has the total; a fee that the payee bears has none', () => {
  const fee = { type: 'platform', amount: 30 } as const;
  const paid = shown({ ...payment, fees: [{ ...fee, paid_by: 'payer' }], total: 2_430 });
  expect(paid.slice(-2)).toEqual([
    ['Fee', '$0.30'],
    ['Total', '$24.30'],
  ]);
  expect(shown({ ...payment, fees: [{ ...fee, paid_by: 'payee' }] }).at(-1)).toEqual([
    'Fee',
    'None',
  ]);
});

test('loads, withdrawals and refunds name both ends in words', () => {
  const plain = { ...payment, collection_point: null, order_reference: null };
  const ends = (confirmation: Confirmation) => shown(confirmation).map(([, value]) => value);
  const mine = 'Standard Bank, account ending in 1234';
  const own = { ...plain, counterparty: null };
  expect(ends({ ...own, type: 'load', from: bank, to: balance })).toEqual(['Your balance', mine]);
  expect(ends({ ...own, type: 'withdrawal', to: bank })).toEqual([mine, 'Your balance']);
  expect(ends({ ...plain, type: 'refund', counterparty: 'Ana Reyes', to: balance })).toEqual([
    'Ana Reyes, balance',
    'Your balance',
  ]);
});
