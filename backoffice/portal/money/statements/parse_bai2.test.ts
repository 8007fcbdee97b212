import { expect, test } from 'vitest';
import { isBai2, parseBai2 } from './parse_bai2.ts';

/** A bank's statement in BAI2 (rules/money-desk#11). */

const day = '2026-03-02';
const order = '019CB0C45E0070008000000000000104';
const rows = [
  '01,121140399,PROGRAM,260303,0754,1,,,2/',
  '02,PROGRAM,121140399,1,260302,,USD,2/',
  '03,1234567890,USD,010,1000000,,,015,1002500,,,/',
  '88,100,4000,3,,400,1500,1,/',
  '16,142,2500,,TRF-77,/',
  `88,LOAD ${order}`,
  '16,195,1000,S,1000,0,0,PAY-78,,SECOND, WITH A COMMA/',
  '16,195,500,D,2,0,300,1,200,,CUST-8',
  '16,495,1500,V,260302,1200,BANK-9,CUST-9,OUT, ON',
  '88,TWO LINES/',
  '16,890,,,,,NOTHING MOVED/',
  '49,2013500,10/',
  '98,2013500,1,12/',
  '99,2013500,1,14/',
];
const file = (change: (row: string) => string = (row) => row) => rows.map(change).join('\r\n');

test('credits, debits, references, texts and the closing balance of an account are read', () => {
  expect(isBai2(file())).toBe(true);
  expect(parseBai2(file(), day)).toEqual({
    closing_balance: 1_002_500,
    lines: [
      { line: 5, amount: 2_500, reference: 'TRF-77', description: `LOAD ${order}` },
      { line: 7, amount: 1_000, reference: 'PAY-78', description: 'SECOND, WITH A COMMA' },
      { line: 8, amount: 500, reference: 'CUST-8', description: null },
      { line: 9, amount: -1_500, reference: 'CUST-9', description: 'OUT, ON TWO LINES' },
    ],
  });
});

const replaced = (from: string, to: string) => file((row) => row.replace(from, to));
const without = (begin: string) => rows.filter((row) => !row.startsWith(begin)).join('\n');

test.each([
  ['no BAI2', '01,a,b,260303,0754,1,,,2/\nhello', 'no_bai2', 2],
  ['another version', replaced('1,,,2/', '1,,,1/'), 'no_bai2', 1],
  ['another day', replaced('1,260302', '1,260301'), 'other_day', 2],
  ['a test of the bank', replaced('399,1,', '399,4,'), 'no_update', 2],
  ['another currency', replaced(',USD,2/', ',CAD,2/'), 'other_currency', 2],
  ['an account of another currency', replaced('890,USD', '890,CAD'), 'other_currency', 3],
  ['two accounts', `${file()}\n${rows[2]}\n${rows.at(-1)}`, 'several_accounts', 15],
  ['a type of neither side', replaced('16,142', '16,701'), 'unknown_type', 5],
  ['an amount with a point', replaced('16,142,2500', '16,142,25.00'), 'bad_amount', 5],
  ['a lost line', without('16,890'), 'not_whole', 11],
  ['a changed amount', replaced('16,142,2500', '16,142,2600'), 'not_whole', 12],
  ['a file that was cut', without('99,'), 'not_whole', 13],
  ['no account', [rows[0], rows[1], rows.at(-1)].join('\n'), 'not_whole', 3],
])('%s is refused whole, and the line is named', (_what, text, reason, line) => {
  expect(() => parseBai2(text, day)).toThrow(
    expect.objectContaining({ details: { reason, line } }),
  );
});
