import type { Judge } from '../judges.ts';

/** What a receiver owes to the contract, and how that is told from outside. */
export interface Duty {
  readonly id: string;
  /** One plain sentence. */
  readonly duty: string;
  /** The rule or page to read. */
  readonly rule: string;
  /** What must be seen to hold before this one can be told. */
  readonly needs: readonly string[];
  readonly judge: Judge;
}
