/** A process is not ready while its machine's clock differs from the database's by more. */
export const greatestDifferenceMs = 2_000;

/**
 * Real time, as all processes of a database have it (rules/operations#12): leases, times and signatures of one
 * never lie ahead of another's, whatever the clocks of their machines say.
 */
export interface DatabaseClock {
  /** Epoch milliseconds. Until it is measured, the machine's. */
  readonly now: () => number;
  /**
   * Holds this clock against the database's.
   * @param ask what that says, in epoch milliseconds, at some instant during the call
   */
  measure<T>(ask: () => Promise<T>, read: (answer: T) => number): Promise<T>;
  /** The machine's lead over the database, in milliseconds; negative: it is behind. */
  aheadMs(): number;
}

/** SQL: the database's clock, as `measure` reads it. */
export const databaseTime = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/** A machine tells its time in whole milliseconds, cut off. */
const resolutionMs = 1;

const between = (low: number, value: number, high: number): number =>
  Math.min(Math.max(value, low), high);

/**
 * The clock runs by the processor's own counter, which nobody sets, and is moved by no more than an answer of the
 * database proves: on a machine whose clock is right it is that clock.
 */
export function openDatabaseClock(
  machineNow: () => number = Date.now,
  counter = () => performance.now(),
): DatabaseClock {
  /** The milliseconds that are added to the counter. */
  let offsetMs: number | null = null;
  const now = () => (offsetMs === null ? machineNow() : Math.floor(offsetMs + counter()));
  return {
    now,
    async measure(ask, read) {
      const askedMs = counter();
      const answer = await ask();
      const answeredMs = counter();
      const atMs = read(answer);
      const [least, most] = [atMs - answeredMs, atMs - askedMs];
      const machineMs = machineNow() - answeredMs;
      const off = Math.abs(between(least, machineMs, most) - machineMs);
      const first = off > resolutionMs ? (least + most) / 2 : machineMs;
      offsetMs = between(least, offsetMs ?? first, most);
      return answer;
    },
    aheadMs: () => machineNow() - now(),
  };
}

/** A clock that nothing moves, in tests. */
export const heldClock = (now: () => number): DatabaseClock => ({
  now,
  measure: (ask) => ask(),
  aheadMs: () => 0,
});
