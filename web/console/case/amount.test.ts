import { expect, test } from 'vitest';
import { centsOf } from './amount.ts';

test('dollars become exact cents, and what is no amount becomes none', () => {
  const read = ['12', '12.5', '$1,234.56', ' 0.07 ', '1.999', '1,23', '-5', 'ten', ''].map((text) =>
    centsOf(text, false),
  );
  expect(read).toEqual([12_00, 12_50, 1_234_56, 7, null, null, null, null, null]);
});

test('an amount below zero is read only where one is taken', () => {
  expect([centsOf('-5', true), centsOf('-5', false)]).toEqual([-5_00, null]);
});
