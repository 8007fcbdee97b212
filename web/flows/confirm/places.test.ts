import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Confirmation } from '@tenant-payments/contract/hosted/view.ts';
import { expect, test } from 'vitest';
import { money } from '../../ui/money.ts';
import { texts } from '../texts/en.ts';
import { receiptOf, rowsOf } from './places.ts';

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
  is_requested: true,
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

test('a payer sees to whom, where, what for, from where, at what cost, and when it arrives', () => {
  expect(shown(payment)).toEqual([
    ['To', 'Corner Cafe'],
    ['At', 'Counter 1'],
    ['Order', 'A-1'],
    ['From', 'Your balance'],
    ['Fee', 'None'],
    ['Arrives', 'Right away'],
  ]);
});

test('a fee that the payer bears has a row, and so has the total; a fee that the payee bears has none', () => {
  const fee = { type: 'platform', amount: 30 } as const;
  const cost = (confirmation: Confirmation) =>
    shown(confirmation).filter(([name]) => name === 'Fee' || name === 'Total');
  expect(cost({ ...payment, fees: [{ ...fee, paid_by: 'payer' }], total: 2_430 })).toEqual([
    ['Fee', '$0.30'],
    ['Total', '$24.30'],
  ]);
  expect(cost({ ...payment, fees: [{ ...fee, paid_by: 'payee' }] })).toEqual([['Fee', 'None']]);
});

const own = { ...payment, counterparty: null, collection_point: null, order_reference: null };
const mine = 'Standard Bank, account ending in 1234';
const hours = `${lifetimes.loadRequestForPayment / 3600} hours`;
const minutes = `${lifetimes.paymentRequestForPayment / 60} minutes`;
const days = `${lifetimes.refundPendingFunds / 86_400} days`;
const onApproval = 'As soon as you approve it';
const inAMinute = 'Usually within a minute, any day';
const approve = "Approve it in your bank's app within";
const mayWait = `If your balance is too low, it waits up to ${days}`;

test.each([
  ['load', { from: bank, to: balance }, 'Your balance', mine, onApproval, `${approve} ${hours}`],
  ['withdrawal', { to: bank }, mine, 'Your balance', inAMinute, 'Nothing more to do'],
  ['payment', { from: bank }, undefined, mine, onApproval, `${approve} ${minutes}`],
  ['refund', { to: balance }, 'Ana Reyes, balance', 'Your balance', 'Right away', mayWait],
  ['refund', { to: bank }, `Ana Reyes, ${mine}`, 'Your balance', inAMinute, mayWait],
] as const)(
  'a %s of %j names both ends, that it costs nothing, when it arrives and what comes next',
  (type, ends, to, from, arrives, next) => {
    const counterparty = type === 'refund' ? 'Ana Reyes' : null;
    const rows = Object.fromEntries(shown({ ...own, type, counterparty, ...ends }));
    const expected = { From: from, Fee: 'None', Arrives: arrives, Next: next };
    expect(rows).toEqual(to === undefined ? expected : { To: to, ...expected });
  },
);

test('a bank without a name is called your bank', () => {
  const from = { ...bank, institution_name: null };
  const rows = Object.fromEntries(shown({ ...own, type: 'load', from, to: balance }));
  expect(rows.From).toBe('Your bank, account ending in 1234');
});

test('a receipt names method, time and record, and a fee only where something was paid', () => {
  const names = (isPaid: boolean) =>
    receiptOf(payment, texts.confirm, String, { date: 'Today', isPaid }).map(({ name }) => name);
  const kept = ['Method', 'Date', 'Reference'];
  expect(names(true)).toEqual(['To', 'At', 'Order', 'From', 'Fee', ...kept]);
  expect(names(false)).toEqual(['To', 'At', 'Order', 'From', ...kept]);
});

test('what others wrote is shown in the order in which it is written, and ends with its row', () => {
  const rows = Object.fromEntries(
    shown({
      ...payment,
      counterparty: 'Evil\u202e moc.knabtsriF',
      description: 'Order \u202e00.001$ latot\u202c ok',
      order_reference: 'שולחן 7',
    }),
  );
  expect(rows).toMatchObject({
    [texts.confirm.rows.to]: 'Evil moc.knabtsriF',
    [texts.confirm.rows.description]: 'Order 00.001$ latot ok',
    [texts.confirm.rows.order]: '\u2068שולחן 7\u2069',
  });
});
