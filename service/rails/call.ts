/** What a method of the rails is given besides what it asks. */
export interface RailsCall {
  /** Aborted at the deadline of the call, and when the process ends: nobody waits for its answer any more. */
  readonly signal: AbortSignal;
}
