import { expect, test } from 'vitest';
import { taxNumberKind } from './tax_numbers.ts';

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(2, '0'));

test('an ITIN has 9 in front and one of the middles that the IRS gives out, and no other number with 9 is one', () => {
  const given = [...range(50, 65), ...range(70, 88), ...range(90, 92), ...range(94, 99)];
  for (const middle of range(0, 99))
    for (const front of ['900', '912', '999'])
      expect(taxNumberKind(`${front}${middle}1234`)).toBe(given.includes(middle) ? 'itin' : null);
});

test('a Social Security number has no 000, 666 or 9 in front, no 00 in the middle and no 0000 at the end', () => {
  for (const taken of ['521739846', '001010001', '665999999', '667010001', '899999999'])
    expect(taxNumberKind(taken)).toBe('ssn');
  for (const refused of ['000123456', '666123456', '521003456', '521730000', '912001234'])
    expect(taxNumberKind(refused)).toBe(null);
});
