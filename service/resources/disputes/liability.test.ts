import { expect, test } from 'vitest';
import { liabilityLimit } from './liability.ts';

/** The part that a consumer bears of an unauthorized transfer at most [12 CFR 1005.6(b)] (rules/disputes#55). */

const learned = { learnedOn: null, shownOn: null, isExtenuating: false };
/** A transfer of $800 on Monday, 2 March 2026, of which notice came on Friday the 13th. */
const transfer = {
  moved: '2026-03-02T17:00:00.000Z',
  noticeAt: '2026-03-13T17:00:00.000Z',
  amount: 800_00,
} as const;

test.each([
  ['nothing without a loss or theft, however late', learned, 'none', 0],
  [
    '$50 where notice came within two business days of learning',
    { ...learned, learnedOn: '2026-03-11' },
    'fifty',
    50_00,
  ],
  [
    '$50 of a transfer within the two business days, also where notice came later',
    { ...learned, learnedOn: '2026-02-27' },
    'fifty',
    50_00,
  ],
  [
    '$500 where notice came later than two business days after learning, and the transfer too',
    { ...learned, learnedOn: '2026-02-20' },
    'five_hundred',
    500_00,
  ],
  [
    'all of a transfer after the 60 days of a statement that showed an earlier one',
    { ...learned, shownOn: '2025-12-31' },
    'unlimited',
    800_00,
  ],
  ['nothing of a transfer on the sixtieth day', { ...learned, shownOn: '2026-01-01' }, 'none', 0],
  [
    'nothing after the 60 days where the delay is accepted',
    { ...learned, shownOn: '2025-12-31', isExtenuating: true },
    'none',
    0,
  ],
  [
    '$50 long after learning where the delay is accepted',
    { ...learned, learnedOn: '2026-02-20', isExtenuating: true },
    'fifty',
    50_00,
  ],
] as const)('the customer bears at most %s', (_, found, tier, maximum) => {
  expect(liabilityLimit(found, transfer)).toEqual({ tier, maximum });
});

test('nobody bears more than the transfer', () => {
  const found = { ...learned, learnedOn: '2026-02-20' };
  expect(liabilityLimit(found, { ...transfer, amount: 20_00 }).maximum).toBe(20_00);
});
