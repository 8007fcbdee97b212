/**
 * A long proof: one kind of fault, done to the real service many times. `npm run prove` runs it whole;
 * a test runs the same code with few rounds, so that the proof itself cannot rot.
 */
export interface Proof {
  /** Short and stable: `npm run prove -- --only KEY`. */
  readonly key: string;
  /** What is done to the service, as a row of docs/reliability.md has it. */
  readonly fault: string;
  /** What must hold nevertheless, in one clause. */
  readonly promise: string;
  /** So many in `npm run prove`. */
  readonly rounds: number;
  /** @throws only when the proof could not be held; what it finds is its verdict */
  run(context: ProofContext): Promise<Verdict>;
}

export interface ProofContext {
  /** Decides every choice of the run; printed with each violation. */
  readonly seed: number;
  readonly rounds: number;
  /** Called as rounds end, as often as it likes. */
  progress(done: number): void;
}

export interface Verdict {
  /** Rounds that were held to their end. */
  readonly rounds: number;
  /** A sentence for each; empty when the promise held. */
  readonly violations: readonly string[];
  /** Figures worth a column of their own, such as `ambiguous` or `slowestRecoveryMs`. */
  readonly figures?: Readonly<Record<string, number>>;
}
