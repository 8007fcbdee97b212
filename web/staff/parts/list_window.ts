/** Browsers draw nothing below some 17 million pixels: of a longer list a window moves along. */
export const windowStep = 100_000;

/**
 * The row at which the window begins. It covers two steps, and moves by whole ones.
 * @param first the first row that is seen @param start where the window begins now
 */
export function windowStart(first: number, start: number): number {
  if (first >= start + 1.5 * windowStep) return start + windowStep;
  if (first < start + 0.25 * windowStep) return Math.max(0, start - windowStep);
  return start;
}
