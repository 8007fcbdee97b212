const windowMs = 1_000;
const linesEach = 10;

/**
 * Keeps a log readable while everything fails: ten lines a second are written.
 * @returns for each line how many were left out since the last written one; null: leave it out
 */
export function openLineLimit(nowMs: () => number = () => performance.now()): () => number | null {
  let untilMs = Number.NEGATIVE_INFINITY;
  let passed = 0;
  let leftOut = 0;
  return () => {
    if (nowMs() >= untilMs) {
      untilMs = nowMs() + windowMs;
      passed = 0;
    }
    if (passed >= linesEach) {
      leftOut += 1;
      return null;
    }
    passed += 1;
    const before = leftOut;
    leftOut = 0;
    return before;
  };
}
