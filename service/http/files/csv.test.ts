import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['\tcmd', "'\tcmd"],
  ['a,b', '"a,b"'],
  ['two\nlines', '"two\nlines"'],
  ['plain', 'plain'],
])('the cell %j is written so that no spreadsheet takes it for a formula', (text, cell) => {
  expect(csvLine([1, text, null])).toBe(`1,${cell},\r\n`);
});

test('a number below zero stays a number', () => {
  expect(csvLine([-5])).toBe('-5\r\n');
});
