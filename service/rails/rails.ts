import type { Aggregator } from './aggregator.ts';
import type { Bank } from './bank.ts';

/** The outside, as this deployment reaches it. The module of `RAILS` exports it as `rails`. */
export interface Rails {
  readonly aggregator: Aggregator;
  readonly bank: Bank;
}
