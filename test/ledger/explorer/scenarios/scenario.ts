import type { Settings } from '@tenant-payments/contract/core/settings.ts';

/** A record in one of its states, and what can happen to it. */
export interface Scenario {
  readonly name: string;
  readonly settings?: Partial<Settings>;
  /** The seconds that pass after the setup; what falls due meanwhile is not run. */
  readonly lateSeconds?: number;
  /** True: the jobs that the setup has scheduled are not run before the operations. */
  readonly keepsJobs?: boolean;
  /** True: every event has a delivery, which is never sent. */
  readonly delivers?: boolean;
  /** Steps with commas between them: methods of the actor with their arguments. */
  readonly setup: string;
  readonly operations: string;
}
