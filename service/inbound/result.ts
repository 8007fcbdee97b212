import type { FactResult } from '../rails/facts.ts';

/** The statuses from which a fact moves a record, and those that the record has because of it. */
export interface FactStatuses {
  readonly from: readonly string[];
  readonly known: readonly string[];
}

/** The effect of a fact on a record in this status. */
export function resultOf(status: string, { from, known }: FactStatuses): FactResult {
  if (from.includes(status)) return 'taken';
  return known.includes(status) ? 'known' : 'contradiction';
}
