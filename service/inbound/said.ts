import { redactedText } from '../http/log/redact.ts';
import type { BankFact, BankOutcome } from '../rails/facts.ts';

/** What is kept of a text. */
const longest = 500;
/** Every number of an account or of a person has more digits; a reason of the networks has four at most. */
const numbers = /\d(?:[ -]?\d){4,}/g;

/** A text of the bank without what could name a person or an account; null: it says nothing. */
function keptText(text: string | undefined): string | null {
  const kept = redactedText(text ?? '')
    .replaceAll(numbers, '…')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
  return kept === '' ? null : kept;
}

/** A fact of the bank as we hold it: the words of a refusal are about the reason alone (rules/failure-codes#15). */
export function heldFact(fact: BankFact): BankFact {
  if (fact.outcome !== 'failed' || fact.text === undefined) return fact;
  const { text, ...rest } = fact;
  const kept = keptText(text);
  return kept === null ? rest : { ...rest, text: kept };
}

/** Who refused an order, and in which words, as a row keeps it. */
export const saidOf = (answer: BankOutcome) =>
  answer.outcome === 'failed'
    ? { said_by: answer.saidBy ?? null, said_text: answer.text ?? null }
    : { said_by: null, said_text: null };
