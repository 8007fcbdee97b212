import { expect, test } from 'vitest';
import { parseStatement } from './parse.ts';

/** The contents that a file of the bank may have (rules/money-desk#11). */

const day = '2026-03-02';
const head = 'date,amount,reference';

test.each([
  ['', 'no_csv', 1],
  ['\n', 'no_csv', 1],
  ['date,amount', 'missing_column', 1],
  ['date,reference', 'missing_column', 1],
  ['date,amount,amount_cents,reference', 'missing_column', 1],
  ['date,amount,reference,iban', 'unknown_column', 1],
  [`${head}\n${day},1.00,a\n${day},1.005,b`, 'bad_amount', 3],
  [`${head}\n${day},0,a`, 'bad_amount', 2],
  [`${head}\n2026-03-03,1.00,a`, 'other_day', 2],
  [`${head}\n${day},1.00`, 'other_columns', 2],
  [`${head}\n${day},1.00,"a`, 'no_csv', 2],
  [`${head}\n${day},1.00,${'a'.repeat(501)}`, 'too_long', 2],
  [`${head}\n${day},1.00,a\u0000`, 'bad_text', 2],
  [`${head}\n${day},1.00,a\ud800c`, 'bad_text', 2],
  [`${head},description\n${day},1.00,a,\u202eevil`, 'bad_text', 2],
  [`${head},closing_balance\n${day},1.00,a,5\n${day},1.00,b,6`, 'other_balance', 3],
  [`${head}\n${`${day},1.00,a\n`.repeat(10_001)}`, 'too_many_lines', 10_002],
])('a bad file is refused whole and the line is named: %#', (csv, reason, line) => {
  expect(() => parseStatement(csv, day)).toThrow(
    expect.objectContaining({ details: { reason, line } }),
  );
});

test('amounts are dollars or cents, and a line without one gives the closing balance', () => {
  const line = (line: number, amount: number, reference: string | null) => {
    return { line, amount, reference, description: null };
  };
  const dollars = `${head},closing_balance\n${day},-12.5,a,\n${day},,,-3\n${day},+7,,-3.00\n`;
  expect(parseStatement(dollars, day)).toEqual({
    lines: [line(2, -12_50, 'a'), line(4, 7_00, null)],
    closing_balance: -3_00,
  });
  const cents = `Date, amount_cents ,reference\r\n${day},-1250,a\r\n`;
  expect(parseStatement(cents, day)).toEqual({
    lines: [line(2, -12_50, 'a')],
    closing_balance: null,
  });
});

test('a reference or description that shows no letter or digit is none', () => {
  const { lines } = parseStatement(
    `${head},description\n${day},1.00,-,***\n${day},1.00,Ω,— 7`,
    day,
  );
  expect(lines).toMatchObject([
    { reference: null, description: null },
    { reference: 'Ω', description: '— 7' },
  ]);
});
