import type { Judge } from '../judges.ts';

/** A duty of a receiver by the contract, and how that is told from outside. */
export interface Duty {
  readonly id: string;
  /** One plain sentence. */
  readonly duty: string;
  /** The rule or page to read. */
  readonly rule: string;
  /** The duties that must be seen to hold before this one can be judged. */
  readonly needs: readonly string[];
  readonly judge: Judge;
}
