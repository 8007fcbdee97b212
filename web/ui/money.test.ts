import { expect, test } from 'vitest';
import { money } from './money.ts';

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
