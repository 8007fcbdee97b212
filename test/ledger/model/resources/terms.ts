import { type Book, dayMs, type ModelPerson } from '../types.ts';

/** How long a new version of a document may wait (decisions 1.1, DocumentAcceptance). */
const waitMs = 30 * dayMs;

/** When the oldest of what waits has waited too long; null: nothing waits. */
export const termsMsOf = ({ waiting }: ModelPerson): number | null =>
  waiting.size === 0 ? null : Math.min(...waiting.values()) + waitMs;

/** No new money moves for who has not accepted what waits. */
export const isHeldUp = (person: ModelPerson, nowMs: number): boolean =>
  (termsMsOf(person) ?? Infinity) <= nowMs;

/** Documents that a customer is asked to accept anew. */
export function openTerms({ people }: Book) {
  return {
    publish(person: ModelPerson, type: string, isAccepted: boolean, nowMs: number): string {
      if (!isAccepted) return 'invalid_state';
      person.waiting.set(type, nowMs);
      return 'done';
    },
    accept(person: ModelPerson): string {
      if (person.status === 'closed') return 'account_restricted';
      person.waiting.clear();
      return 'done';
    },
    /** Whom something waits for. */
    askedOf: (): ModelPerson[] => people.filter(({ waiting }) => waiting.size > 0),
  };
}
