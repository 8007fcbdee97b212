import { expect, test } from 'vitest';
import { openWorstLags } from './worst_lags.ts';

test('shows the longest lag of each Tenant for five to ten minutes, and twenty Tenants at most', () => {
  let nowMs = 0;
  const lags = openWorstLags(() => nowMs);
  lags.note('a', 3);
  lags.note('a', 1);
  lags.note('b', 2);
  expect(lags.shown()).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  nowMs = 300_000;
  lags.note('b', 5);
  expect(lags.shown()).toEqual([
    ['b', 5],
    ['a', 3],
  ]);
  nowMs = 600_000;
  expect(lags.shown()).toEqual([['b', 5]]);
  nowMs = 1_500_000;
  expect(lags.shown()).toEqual([]);
  for (let tenant = 0; tenant < 2_000; tenant += 1) lags.note(`t${tenant}`, tenant);
  expect(lags.shown()).toHaveLength(20);
});
