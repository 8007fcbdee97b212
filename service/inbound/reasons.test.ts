import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alarmOf, failureOf, isDuplicate, reasonOf } from './reasons.ts';

/** The reasons that the RTP network lists, with their short meanings. */
const published = readFileSync(
  new URL('../../test/kit/bank/rtp_reasons.tsv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t')[0] ?? '');

const request = { kind: 'request_for_payment', purpose: 'load', source_type: 'load' } as const;
const transfer = {
  kind: 'credit_transfer',
  purpose: 'withdrawal',
  source_type: 'withdrawal',
} as const;

const both = (reason: string) => [
  failureOf('load', reason).failure,
  alarmOf(request, reason),
  failureOf('withdrawal', reason).failure,
  alarmOf(transfer, reason),
];

test('every reason that the network lists has a decision on both legs', () => {
  expect(published).toHaveLength(71);
  for (const reason of published)
    for (const order of [request, transfer])
      expect([reason, order.kind, alarmOf(order, reason)]).not.toContain('bank_reason');
});

test.each([
  ['AC02', 'invalid_account_number', null, 'processing_error', 'bank_refusal'],
  ['AC03', 'processing_error', 'bank_refusal', 'invalid_account_number', null],
  ['AC04', 'account_closed', null, 'account_closed', null],
  ['AC07', 'processing_error', 'bank_refusal', 'account_closed', null],
  ['AC13', 'invalid_account_type', null, 'processing_error', 'bank_refusal'],
  ['AC14', 'processing_error', 'bank_refusal', 'invalid_account_type', null],
  ['RC03', 'invalid_routing_number', null, 'processing_error', 'bank_refusal'],
  ['RC04', 'processing_error', 'bank_refusal', 'invalid_routing_number', null],
  ['BE06', 'invalid_account_number', null, 'unknown_customer', null],
  ['BE17', 'processing_error', 'bank_refusal', 'processing_error', 'bank_refusal'],
  ['AM04', 'insufficient_funds_at_bank', null, 'processing_error', 'fbo_short'],
  ['AM09', 'amount_mismatch', null, 'amount_mismatch', null],
  ['FF02', 'processing_error', 'bank_refusal', 'processing_error', 'bank_refusal'],
  ['TK07', 'processing_error', 'bank_refusal', 'processing_error', 'bank_refusal'],
  ['9909', 'processing_error', null, 'processing_error', null],
  ['9912', 'bank_unavailable', null, 'bank_unavailable', null],
  ['9964', 'transaction_not_supported', null, 'transaction_not_supported', null],
  ['AB11', 'bank_timeout', null, 'bank_timeout', null],
  ['CUST', 'customer_refused', null, 'rejected_other', null],
  ['RR04', 'transaction_forbidden', null, 'transaction_forbidden', null],
  ['ZZ99', 'rejected_other', 'bank_reason', 'rejected_other', 'bank_reason'],
  ['toString', 'rejected_other', 'bank_reason', 'rejected_other', 'bank_reason'],
])(
  '%s of a request is %s with the alarm %s, of a transfer %s with the alarm %s',
  (reason, ...decided) => expect(both(reason)).toEqual(decided),
);

test("a customer of a transfer is never told that they have too little money for the bank's refusal of ours", () => {
  expect(failureOf('refund', 'AM04')).toEqual({
    failure: 'processing_error',
    networkReason: 'AM04',
  });
});

test('a reason in our own words is a failure of its leg, and none of the other', () => {
  expect(failureOf('load', 'bank_unavailable')).toEqual({
    failure: 'bank_unavailable',
    networkReason: null,
  });
  expect(failureOf('withdrawal', 'customer_refused')).toEqual({
    failure: 'rejected_other',
    networkReason: 'customer_refused',
  });
  expect(alarmOf(transfer, 'customer_refused')).toBe('bank_reason');
});

test('an order that was sent before has not failed by that', () => {
  expect(isDuplicate('DUPL')).toBe(true);
  expect(published.filter(isDuplicate)).toEqual(['DUPL']);
});

test('a refused order of the platform itself is an alarm, whatever the reason', () => {
  const own = { kind: 'internal_transfer', source_type: 'adjustment' } as const;
  const alarms = (reason: string) =>
    (['fee_sweep', 'reserve_top_up'] as const).map((purpose) =>
      alarmOf({ ...own, purpose }, reason),
    );
  expect(alarms('AC04')).toEqual(['own_order', 'own_order']);
  // A sweep leaves the account of the customers' money; money for the reserve leaves another one.
  expect(alarms('AM04')).toEqual(['fbo_short', 'own_order']);
});

test('the network has a word for every failure that the sandbox plays', () => {
  expect(reasonOf('request_for_payment', 'invalid_account_number')).toBe('AC02');
  expect(reasonOf('credit_transfer', 'invalid_account_number')).toBe('AC03');
});
