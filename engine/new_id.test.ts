import { expect, test } from 'vitest';
import { idMaker } from './new_id.ts';

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids are UUIDv7 in rising order, also ten thousand in one millisecond and when the clock steps back', () => {
  const make = idMaker();
  const ids = Array.from({ length: 10_000 }, (_, index) =>
    make(index < 5_000 ? 1_800_000_000_000 : 1_700_000_000_000),
  );
  expect(ids.every((id) => uuid7.test(id))).toBe(true);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an id begins with the milliseconds of the clock it was given', () => {
  const id = idMaker()(1_800_000_000_123);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(1_800_000_000_123);
});
