import type { Work } from '@tenant-payments/engine/work.ts';
import type { FactResult, MessageFact } from '../rails/facts.ts';
import { type Arrival, endMessage } from '../resources/customers/messages/outcome.ts';
import type { CustomerMessageRow } from '../resources/customers/messages/table.ts';

/** Notes what became of a message; one that has ended keeps its end (rules/messages#7). */
export function applyArrival(
  work: Work,
  message: CustomerMessageRow,
  { outcome, reason }: MessageFact,
): FactResult {
  const told: Arrival =
    outcome === 'delivered' ? { as: outcome } : { as: outcome, reason: reason ?? null };
  return endMessage(work, message, told) ? 'taken' : 'known';
}
