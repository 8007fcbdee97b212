import { expect, test } from 'vitest';
import { CsvFault, readCsv } from './read_csv.ts';

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells);

test.each([
  ['', []],
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n1,\n',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  ['a\n\n\nb', [['a'], ['b']]],
  ['"a, b","say ""no"""', [['a, b', 'say "no"']]],
  ['\uFEFFa,b', [['a', 'b']]],
  [',', [['', '']]],
] as const)('%j is read as its cells', (text, cells) => {
  expect(cellsOf(text)).toEqual(cells);
});

test('a row knows its line, also behind a cell of several lines', () => {
  const rows = readCsv('a\r\n"b\nc",d\r\n\r\ne');
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 5]);
  const ofWindows = readCsv('a\r\n"b\r\n\r\nc",d\r\ne');
  expect(ofWindows.map(({ line }) => line)).toEqual([1, 2, 5]);
});

test.each([
  ['a\n"b', 2],
  ['a"b', 1],
  ['a\nb\n"c"d', 3],
  ['a\r\n\r\n"b\r\nc\r\nd', 3],
  ['a\n"b\nc"\n\nd"', 5],
  ['"a\nb"c', 2],
])('%j is no CSV, and the line is named', (text, line) => {
  let fault: unknown;
  try {
    readCsv(text);
  } catch (error) {
    fault = error;
  }
  expect(fault).toBeInstanceOf(CsvFault);
  expect(fault).toMatchObject({ line });
});
