/** The context that each method of the rails is given. */
export interface RailsCall {
  /** Aborted at the deadline of the call, and when the process ends: nobody waits for its answer any more. */
  readonly signal: AbortSignal;
  /** The W3C trace that it belongs to, for the header of this name; absent: none. */
  readonly traceparent?: string;
}

const never = new AbortController().signal;

/** A call for work of this trace, whose deadline is set by `guard/`. */
export const callFor = ({ trace }: { readonly trace?: string | null }): RailsCall => ({
  signal: never,
  ...(trace && { traceparent: trace }),
});
