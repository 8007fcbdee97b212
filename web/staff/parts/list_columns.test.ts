import { expect, test } from 'vitest';
import { type ColumnFacts, cardOf, heightOf, placed } from './list_columns.ts';

const columns: readonly ColumnFacts[] = [
  { name: 'Name' },
  { name: 'Amount', kind: 'money' },
  { name: 'State', kind: 'state' },
  { name: 'Type' },
  { name: 'Next attempt', kind: 'time', priority: 2 },
  { name: 'Created', kind: 'time' },
  { name: 'Id', kind: 'id' },
];
const names = (some: readonly ColumnFacts[]) => some.map(({ name }) => name);

test('columns fill the frame, and never stand wider than it', () => {
  for (let frame = 300; frame < 2_000; frame += 7) {
    const { shown, widths, folded } = placed(columns, frame);
    const sum = widths.reduce((total, width) => total + width, 0);
    expect(sum).toBeLessThanOrEqual(frame);
    expect(sum).toBeGreaterThan(frame - columns.length);
    expect(names(columns).filter((name) => !names(folded).includes(name))).toEqual(names(shown));
  }
});

test('what matters least folds first; name, amount, state and time never do', () => {
  expect(names(placed(columns, 1_200).folded)).toEqual([]);
  expect(names(placed(columns, 970).folded)).toEqual(['Id']);
  expect(names(placed(columns, 850).folded)).toEqual(['Next attempt', 'Id']);
  expect(names(placed(columns, 300).shown)).toEqual(['Name', 'Amount', 'State', 'Created']);
});

test('a card shows every column once, and its height is known beforehand', () => {
  const { title, amount, state, time, long, short } = cardOf(columns);
  const all = [title, amount, state, time, ...long, ...short];
  expect(all.map((column) => column?.name).sort()).toEqual(names(columns).sort());
  expect(names(long)).toEqual(['Next attempt']);
  expect(heightOf(columns, 390)).toBe(heightOf(columns, 320));
  expect(heightOf(columns, 950)).toBeGreaterThan(heightOf(columns, 1_200));
});
