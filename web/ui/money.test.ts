import { expect, test } from 'vitest';
import { dayInWords, money } from './money.ts';

test.each([
  [0, '$0.00'],
  [1, '$0.01'],
  [2_400, '$24.00'],
  [123_450, '$1,234.50'],
  [100_000_000_000, '$1,000,000,000.00'],
])('%i cents are written %s in both languages of the United States', (cents, written) => {
  expect(money(cents, 'en')).toBe(written);
  expect(money(cents, 'es')).toBe(written);
});

test('a day of birth is the same day in every zone', () => {
  const { TZ } = process.env;
  for (const zone of ['Pacific/Honolulu', 'Asia/Tokyo']) {
    process.env.TZ = zone;
    expect(dayInWords('1990-01-31', 'en')).toBe('January 31, 1990');
  }
  process.env.TZ = TZ;
});
