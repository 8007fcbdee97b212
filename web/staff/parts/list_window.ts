/** Browsers draw nothing below some 17 million pixels: of a longer list a window moves along. */
const stepPixels = 4_400_000;

/** Rows by which the window moves; cards are higher than lines, and fewer. */
export const stepOf = (rowHeight: number): number => Math.floor(stepPixels / rowHeight);

/**
 * The row at which the window begins. It covers two steps, and moves by whole ones.
 * @param first the first row that is seen @param start where the window begins now @param step of `stepOf`
 */
export function windowStart(first: number, start: number, step: number): number {
  if (first >= start + 1.5 * step) return start + step;
  if (first < start + 0.25 * step) return Math.max(0, start - step);
  return start;
}
