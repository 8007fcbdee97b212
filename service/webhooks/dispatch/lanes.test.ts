import { expect, test } from 'vitest';
import { openLanes, type Slot, usualLimits } from './lanes.ts';

const limits = {
  open: 9,
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
  /** Lanes that have answered promptly. */
  const prove = (...keys: string[]) => {
    for (const key of keys) lanes.offer(key, 'first');
    for (const slot of begin()) slot.end();
  };
  return { clock, lanes, begin, fill, prove };
}

test('a lane has few slots before its first prompt answer, and all of its own afterwards', () => {
  const { begin, fill } = open();
  fill('a', 8);
  const slots = begin();
  expect(slots.map((slot) => slot.item)).toEqual(['a0', 'a1']);
  slots[0]?.end();
  expect(begin().map((slot) => slot.item)).toEqual(['a2', 'a3', 'a4']);
});

test('lanes take turns, and none has more slots than its own', () => {
  const { begin, fill, prove } = open();
  prove('a', 'b');
  fill('a', 8);
  fill('b', 8);
  expect(begin().map((slot) => slot.item)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
});

test('a lane alone uses its own slots and leaves the rest', () => {
  const { begin, fill, prove } = open();
  prove('a');
  fill('a', 8);
  expect(begin()).toHaveLength(limits.each);
});

test('a lane that hangs loses its queue and keeps few slots; a prompt answer restores it', () => {
  const { clock, lanes, begin, fill, prove } = open();
  prove('a');
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

test('room is reported, and reported again when half of it is free', () => {
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

test('lanes found to hang free their slots for the others, up to the limit of open attempts', () => {
  const { clock, lanes, begin, fill } = open();
  for (const key of ['a', 'b', 'c']) fill(key, 2);
  expect(begin()).toHaveLength(limits.total);
  for (const key of ['d', 'e', 'f']) fill(key, 2);
  expect(begin()).toHaveLength(0);
  clock.ms = 1_001;
  lanes.sweep();
  expect(begin().map((slot) => slot.item)).toEqual(['d0', 'e0', 'f0']);
});

/** Ten thousand receivers, each with one event at once; a part of them does not answer. */
function meetAll(dead: number): number[] {
  const timeoutMs = 10_000;
  const clock = { ms: 0 };
  const lanes = openLanes<number>(usualLimits, () => clock.ms);
  const waiting = Array.from({ length: 10_000 }, (_, index) => index);
  const running: { slot: Slot<number>; untilMs: number }[] = [];
  const waits: number[] = [];
  const isDead = (index: number) => index % 10 < dead;
  while (waits.length < 10_000 - 1_000 * dead) {
    lanes.sweep();
    for (const index of waiting.splice(0, lanes.room())) lanes.offer(`${index}`, index);
    for (let slot = lanes.next(); slot; slot = lanes.next()) {
      if (!isDead(slot.item)) waits.push(clock.ms);
      running.push({ slot, untilMs: clock.ms + (isDead(slot.item) ? timeoutMs : 10) });
    }
    clock.ms += 10;
    for (const { slot } of running.filter(({ untilMs }) => untilMs === clock.ms)) slot.end();
    running.splice(0, running.length, ...running.filter(({ untilMs }) => untilMs > clock.ms));
  }
  return waits;
}

test('a thousand dead receivers delay nine thousand others by seconds, not by timeouts', () => {
  const longestWithout = Math.max(...meetAll(0));
  const longest = Math.max(...meetAll(1));
  expect(longestWithout).toBeLessThan(1_000);
  expect(longest).toBeLessThan(3_000);
});
