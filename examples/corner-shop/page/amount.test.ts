import { expect, test } from 'vitest';
import { readAmount } from './amount.ts';

test.each([
  ['20', 20_00],
  ['20.5', 20_50],
  ['20.', 20_00],
  ['.50', 50],
  ['0.01', 1],
  ['$1,000', 1_000_00],
  [' $ 1,234,567.89 ', 1_234_567_89],
  ['1000.50', 1_000_50],
  ['25.00', 25_00],
])('%j is an amount', (typed, cents) => {
  expect(readAmount(typed)).toEqual({ cents, fault: null });
});

test.each([
  ['', null],
  ['  ', null],
  ['20,5', 'comma'],
  ['20,50', 'comma'],
  ['1.000,50', 'malformed'],
  ['10,00,0', 'malformed'],
  ['1,0000', 'malformed'],
  ['twenty', 'malformed'],
  ['-5', 'malformed'],
  ['1e3', 'malformed'],
  ['.', 'malformed'],
  ['$', null],
  ['20.555', 'cents'],
  ['0', 'zero'],
  ['0.00', 'zero'],
])('%j is none, and the field can say why: %s', (typed, fault) => {
  expect(readAmount(typed)).toEqual({ cents: null, fault });
});
