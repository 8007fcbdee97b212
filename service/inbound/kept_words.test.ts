import { expect, test } from 'vitest';
import { heldFact } from './kept_words.ts';

/** Facts of a bank's module, which no compiler has checked (rules/review#25). */

const named = { id: 'a message', orderId: 'an order' };

test.each([
  ['a word that is none', { outcome: 'canceled' }, 'parameter_invalid', 'outcome'],
  ['no word', {}, 'parameter_invalid', 'outcome'],
  ['a settlement of no amount', { outcome: 'settled' }, 'parameter_missing', 'amount'],
  ['a part of a cent', { outcome: 'settled', amount: 0.5 }, 'parameter_invalid', 'amount'],
  ['an amount in words', { outcome: 'returned', amount: '5' }, 'parameter_invalid', 'amount'],
  ['a failure of no reason', { outcome: 'failed' }, 'parameter_missing', 'reason'],
])('%s is refused, and not taken for something known', (_what, said, code, param) => {
  expect(() => heldFact({ ...named, ...said } as never)).toThrow(
    expect.objectContaining({ code, param }),
  );
});

test.each([
  { outcome: 'settled', amount: 5 },
  { outcome: 'cancelled' },
  { outcome: 'settled_pending' },
  { outcome: 'failed', reason: 'AC04' },
] as const)('a fact that says enough is held as it is: %o', (said) => {
  expect(heldFact({ ...named, ...said })).toEqual({ ...named, ...said });
});
