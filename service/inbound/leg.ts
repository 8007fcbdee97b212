import type { Work } from '@tenant-payments/engine/work.ts';
import type { AccountRow } from '../resources/accounts/table.ts';
import type { FactStatuses } from './result.ts';

/** How an order ends. */
export type End = 'settled' | 'failed';

/** A record that a bank moves money for, with the moves that the bank's answers cause. */
export interface Leg {
  readonly status: () => string;
  /** The account that money which does not fit the record most likely belongs to; null: none. */
  readonly holder: AccountRow | null;
  readonly statuses: Readonly<Record<End, FactStatuses>>;
  /** @param moved the amount that the bank has moved, in cents */
  readonly settle: (work: Work, moved: number) => void;
  readonly fail: (work: Work, reason: string) => void;
  /** Cents that disputes of the record have awarded; absent: its notices say it, or none is awarded. */
  readonly awarded?: () => number;
}
