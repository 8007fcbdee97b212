import type { Work } from '@tenant-payments/engine/work.ts';
import type { FactResult, MessageFact } from '../rails/facts.ts';
import type { Arrival } from '../resources/customers/messages/outcome.ts';
import { type LoadedMessage, takeWord } from '../resources/customers/notices/given.ts';

/** Notes what became of a message; one that has ended keeps its end (rules/messages#7). */
export function applyArrival(
  work: Work,
  message: LoadedMessage,
  { outcome, reason }: MessageFact,
): FactResult {
  const told: Arrival =
    outcome === 'delivered' ? { as: outcome } : { as: outcome, reason: reason ?? null };
  return takeWord(work, message, told) ? 'taken' : 'known';
}
