import { expect, test } from 'vitest';
import { digitsOf } from './grouped.ts';
import { withLatinDigits } from './latin_digits.ts';

test('the digits of any script are read as what they say', () => {
  expect(withLatinDigits('٠١٢٣٤٥٦٧٨٩')).toBe('0123456789');
  expect(withLatinDigits('۰۱۲۳۴۵۶۷۸۹')).toBe('0123456789');
  expect(withLatinDigits('０１２３４５６７８９')).toBe('0123456789');
  expect(withLatinDigits('०१२३४५६७८९')).toBe('0123456789');
  expect(withLatinDigits('\u{1d7f5}\u{1d7ce}')).toBe('90');
  expect(withLatinDigits('284617')).toBe('284617');
});

test('each digit of every script has its own value', () => {
  const digits = Array.from({ length: 0x20_000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => /^\p{Nd}$/u.test(sign));
  expect(digits.length).toBeGreaterThan(600);
  const values = digits.map(withLatinDigits);
  expect(values.every((value) => /^[0-9]$/.test(value))).toBe(true);
  for (let value = 0; value <= 9; value += 1)
    expect(values.filter((one) => one === String(value))).toHaveLength(digits.length / 10);
});

test('a PIN in other digits is entered as its digits', () => {
  expect(digitsOf('٢٨٤٦١٧', 6)).toBe('284617');
  expect(digitsOf('２８４６１７', 6)).toBe('284617');
});
