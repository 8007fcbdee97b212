import { expect, test } from 'vitest';
import { statusOf } from './ring_status.ts';

const quiet = { tenants_waiting: 0 };
const counts = (of: Record<string, number>, nameless = 0) =>
  new Map<string | null, number>([...Object.entries(of), [null, nameless]]);

test('an older key on which nothing rests may be dropped, the first key never', () => {
  const { keys, next } = statusOf('PIN_PEPPER', ['b', 'a'], counts({ b: 0 }), quiet);
  expect(keys.map(({ may_be_dropped }) => may_be_dropped)).toEqual([false, true]);
  expect(next).toBe('drop a and restart every process');
});

test('while values name no key, any older key may be theirs', () => {
  const { keys, nameless } = statusOf('SEALING_KEY', ['b', 'a'], counts({ b: 4 }, 2), quiet);
  expect([nameless, keys[1]?.may_be_dropped]).toEqual([2, false]);
});

test('a key that is missing is named with what rests on it', () => {
  const status = statusOf('SEALING_KEY', ['b'], counts({ b: 1, a: 7 }), quiet);
  expect(status.missing).toEqual([{ id: 'a', values: 7 }]);
  expect(status.next).toBe(
    '7 values name the key a, which is not in the ring: put it back: without it they cannot be opened',
  );
});

test('nothing is to be done for a ring of one key', () => {
  expect(statusOf('QR_SIGNING_KEY', ['a'], counts({ a: 9 }), quiet).next).toBe('nothing to do');
});
