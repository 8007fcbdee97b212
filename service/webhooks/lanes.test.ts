import { expect, test } from 'vitest';
import { openLanes, type Slot } from './lanes.ts';

const limits = {
  total: 6,
  each: 4,
  slowTotal: 3,
  slowEach: 2,
  held: 20,
  heldEach: 10,
  slowAfterMs: 1_000,
};

function open() {
  const clock = { ms: 0 };
  const lanes = openLanes<string>(limits, () => clock.ms);
  const begin = (): Slot<string>[] => {
    const slots: Slot<string>[] = [];
    for (let slot = lanes.next(); slot; slot = lanes.next()) slots.push(slot);
    return slots;
  };
  const fill = (key: string, count: number) =>
    Array.from({ length: count }, (_, index) => lanes.offer(key, `${key}${index}`));
  return { clock, lanes, begin, fill };
}

test('lanes take turns, and none has more slots than its own', () => {
  const { begin, fill } = open();
  fill('a', 8);
  fill('b', 8);
  expect(begin().map((slot) => slot.item)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
});

test('a lane alone uses its own slots and leaves the rest', () => {
  const { begin, fill } = open();
  fill('a', 8);
  expect(begin()).toHaveLength(limits.each);
});

test('a lane that hangs loses its queue and keeps few slots; a prompt answer redeems it', () => {
  const { clock, lanes, begin, fill } = open();
  fill('a', 8);
  const slots = begin();
  clock.ms = 1_001;
  expect(lanes.sweep()).toEqual(['a4', 'a5', 'a6', 'a7']);
  expect(lanes.offer('a', 'again')).toBe(false);
  for (const slot of slots) slot.end();
  expect(fill('a', 3)).toEqual([true, true, false]);
  const [first] = begin();
  first?.end();
  expect(fill('a', 3)).toEqual([true, true, true]);
});

test('lanes that hang hold only a part of all slots', () => {
  const { clock, lanes, begin, fill } = open();
  for (const key of ['a', 'b', 'c']) fill(key, 2);
  const slots = begin();
  clock.ms = 2_000;
  for (const slot of slots) slot.end();
  lanes.sweep();
  const offered = ['a', 'b', 'c'].flatMap((key) => {
    const taken = fill(key, 2);
    begin();
    return taken;
  });
  expect(offered.filter(Boolean)).toHaveLength(limits.slowTotal);
});

test('room is told, and told again when half of what was missing is free', () => {
  const { lanes, begin, fill } = open();
  fill('a', 10);
  expect(lanes.room()).toBe(10);
  expect(lanes.full()).toEqual(['a']);
  fill('b', 10);
  expect(lanes.room()).toBe(0);
  const told: boolean[] = [];
  for (let slots = begin(); slots.length > 0; slots = begin())
    for (const slot of slots) told.push(slot.end());
  expect(told.filter(Boolean).length).toBeGreaterThanOrEqual(2);
  expect(lanes.room()).toBe(20);
});
