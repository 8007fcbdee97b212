import { expect, test } from 'vitest';
import { once } from './once.ts';

test('all who ask share one value, and what failed is made anew by the next call', async () => {
  let calls = 0;
  const value = once(async () => {
    calls += 1;
    if (calls === 1) throw new Error('EMFILE: too many open files');
    return calls;
  });
  const first = await Promise.allSettled([value(), value()]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([value(), value()])).toEqual([2, 2]);
  expect(await value()).toBe(2);
});
