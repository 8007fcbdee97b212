import { reviewMoves } from '@tenant-payments/backoffice/contract/operate/review.ts';
import { expect, test } from 'vitest';
import { keysOf, ownKeys } from './move_keys.ts';

test('every move of every resource has a key, no two of one case the same, and none of the page itself', () => {
  for (const [resource, moves] of Object.entries(reviewMoves)) {
    const keys = [...keysOf(moves).values()];
    expect([resource, keys.length]).toEqual([resource, moves.length]);
    expect(new Set([...keys, ...Object.values(ownKeys)]).size).toBe(keys.length + 3);
  }
});

test('a approves, r rejects and d denies, wherever a case can', () => {
  expect(keysOf(['approve', 'reject', 'request_more']).get('approve')).toBe('a');
  expect(keysOf(['reject', 'approve']).get('reject')).toBe('r');
  expect(keysOf(['resolve_approved', 'resolve_denied']).get('resolve_denied')).toBe('d');
  expect(keysOf(['take_back']).get('take_back')).toBe('a');
});
