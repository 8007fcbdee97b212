import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { expect, test } from 'vitest';
import { standingOf, stepsOf } from './steps.ts';

type Onboarding = NonNullable<View['onboarding']>;

const fresh: Onboarding = {
  status: 'created',
  retry_available_at: null,
  is_more_requested: false,
  names: {
    first_name: null,
    last_name: null,
    legal_name: null,
    trading_name: null,
    industry: null,
  },
  documents: [],
  identity_documents: null,
  has_identity_step: false,
  owners: [],
  industries: [],
};
const now = '2026-11-21T12:00:00Z';

test('an individual has six pages, a business seven, without the PIN page if a PIN is set', () => {
  expect(stepsOf({ type: 'individual', has_pin: false }, fresh)).toHaveLength(6);
  expect(stepsOf({ type: 'business', has_pin: false }, fresh)).toHaveLength(7);
  expect(stepsOf({ type: 'individual', has_pin: true }, fresh)).not.toContain('pin');
});

test('a business that lacks only owners does not enter its data twice', () => {
  const pending: Onboarding = { ...fresh, status: 'pending' };
  const business = { type: 'business', has_pin: true } as const;
  expect(stepsOf(business, pending)).toEqual(['owners', 'code', 'documents']);
  expect(stepsOf(business, { ...pending, is_more_requested: true })[0]).toBe('facts');
});

test.each([
  ['individual', fresh, 'open'],
  ['individual', { ...fresh, status: 'pending' }, 'waiting'],
  ['business', { ...fresh, status: 'pending' }, 'open'],
  ['individual', { ...fresh, status: 'pending', is_more_requested: true }, 'more'],
  ['individual', { ...fresh, status: 'in_review' }, 'waiting'],
  ['individual', { ...fresh, status: 'approved' }, 'approved'],
  ['individual', { ...fresh, status: 'rejected' }, 'final'],
  [
    'individual',
    { ...fresh, status: 'rejected', retry_available_at: '2026-11-22T12:00:00Z' },
    'too_early',
  ],
  [
    'individual',
    { ...fresh, status: 'rejected', retry_available_at: '2026-11-20T12:00:00Z' },
    'again',
  ],
] satisfies [View['customer']['type'], Onboarding, string][])(
  'the state of %s %j is %s',
  (type, onboarding, standing) => {
    expect(standingOf(type, onboarding, now)).toBe(standing);
  },
);
