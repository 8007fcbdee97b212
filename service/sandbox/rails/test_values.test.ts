import { expect, test } from 'vitest';
import { failureOf } from '../../inbound/reasons.ts';
import { bankAnswer, customerAnswer, ownerAnswer } from './test_values.ts';

test.each([
  [61, 'customer_refused', 'account_closed'],
  [62, 'insufficient_funds_at_bank', 'account_blocked'],
  [63, 'account_closed', 'invalid_account_number'],
  [64, 'account_blocked', 'bank_timeout'],
  [65, 'invalid_account_number', 'bank_unavailable'],
  [66, 'bank_timeout', 'transaction_not_supported'],
  [67, 'request_expired', 'amount_exceeds_bank_limit'],
])('amounts that end in %i fail: %s when requested, %s when sent', (digits, requested, sent) => {
  const reasonOf = (kind: Parameters<typeof bankAnswer>[0]) => {
    const answer = bankAnswer(kind, 3_000_00 + digits);
    if (answer?.outcome !== 'failed') throw new Error('it does not fail');
    return answer.reason;
  };
  expect(failureOf('load', reasonOf('request_for_payment')).failure).toBe(requested);
  expect(failureOf('payment', reasonOf('request_for_payment')).failure).toBe(requested);
  expect(failureOf('withdrawal', reasonOf('credit_transfer')).failure).toBe(sent);
  expect(failureOf('refund', reasonOf('credit_transfer')).failure).toBe(sent);
});

test('amounts that end in 68 are never answered, and all others settle', () => {
  for (const kind of ['request_for_payment', 'credit_transfer'] as const) {
    expect(bankAnswer(kind, 68)).toBeNull();
    expect(bankAnswer(kind, 1_68)).toBeNull();
    for (const amount of [1_00, 1_60, 1_69, 61_00, 161_00])
      expect(bankAnswer(kind, amount)).toEqual({ outcome: 'settled', amount });
  }
});

test('the decision follows the last name of an individual and the legal name of a business, letter for letter', () => {
  const individual = (family_name: string | null) =>
    customerAnswer({ type: 'individual', family_name, legal_name: 'Denied' });
  const business = (legal_name: string | null) =>
    customerAnswer({ type: 'business', family_name: 'Denied', legal_name });
  for (const of of [individual, business]) {
    expect(of('Review')).toBe('unclear');
    expect(of('Denied')).toBe('rejected');
    for (const name of ['Reyes', 'review', 'Denied Ltd', 'constructor', '', null])
      expect(of(name)).toBe('approved');
  }
});

test('the decision on an owner follows the last word of its name', () => {
  expect(ownerAnswer({ name: 'Rita Review' })).toBe('unclear');
  expect(ownerAnswer({ name: ' Dan  van Denied ' })).toBe('rejected');
  expect(ownerAnswer({ name: 'Review Reyes' })).toBe('approved');
  expect(ownerAnswer({ name: null })).toBe('approved');
});
