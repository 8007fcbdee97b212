/**
 * A stop of a Tenant: how long each side believes what it read, so that no process serves the Tenant in the
 * old cell once it is in the new one (rules/cells#17). In milliseconds.
 */
export const stopTimes = {
  /** A process reads at this pace which Tenants are stopped. */
  poll: 200,
  /** The time for which a read is believed; then it reads again before it hands over a request. */
  believed: 500,
  /** A request that is under way when the stop is seen ends within this time, or is cut. */
  drain: 500,
  /** From the stop until the rows are moved: all processes have seen it, and what they did has ended. */
  settle: 1_200,
  /** The longest stop; a move that would take longer is undone. */
  longest: 5_000,
  /** A stop whose mover died is over after this. */
  lease: 6_000,
} as const;
