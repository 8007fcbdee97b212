import { describe, expect, test } from 'vitest';
import { stepOf, windowStart } from './list_window.ts';

/** The pixels of the tallest page that every browser draws. */
const tallest = 17_800_000;

/** Reads on, row by row of a page, and back again. */
function walk(rows: readonly number[], step: number): { seen: number; start: number }[] {
  let start = 0;
  return rows.map((seen) => {
    start = windowStart(seen, start, step);
    return { seen, start };
  });
}

const down = Array.from({ length: 20_001 }, (_, page) => page * 50);

describe.each([44, 60, 200])('where every row is %i pixels high', (rowHeight) => {
  const step = stepOf(rowHeight);
  const steps = walk([...down, ...down.toReversed()], step);

  test('every row of a million can be seen, in a window that every browser can draw', () => {
    for (const { seen, start } of steps) {
      expect(start).toBeLessThanOrEqual(seen);
      expect((seen + 100 - start) * rowHeight).toBeLessThan(tallest);
    }
    expect(steps.at(-1)).toEqual({ seen: 0, start: 0 });
  });

  test('the window moves seldom, and not to and fro', () => {
    const moves = steps.filter(({ start }, at) => at > 0 && steps[at - 1]?.start !== start);
    expect(moves.length).toBeLessThanOrEqual(2 * (1_000_000 / step));
    for (const { seen, start } of steps) expect(windowStart(seen, start, step)).toBe(start);
  });
});
