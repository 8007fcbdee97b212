const morning = Date.parse('2026-01-20T15:00:00Z');

/**
 * The clock of the machine, in epoch milliseconds: it runs, from 10:00 in New York on, so that no test
 * meets a midnight that it did not ask for.
 */
export function sinceMorning(): () => number {
  const started = Date.now();
  return () => morning + Date.now() - started;
}
