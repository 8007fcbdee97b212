import { bankOutcomes, refusers } from '@tenant-payments/contract/resources/bank_messages.ts';
import { waitingWords } from '@tenant-payments/contract/resources/bank_orders.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { redactedText } from '../http/log/redact.ts';
import type { BankOutcome, IdentityFact, IdentityFinding, OrderFact } from '../rails/facts.ts';

/** Characters of a text that are kept. */
const longest = 500;
/** Every number of an account or of a person has more digits; a reason of the networks has four at most. */
const numbers = /\d(?:[ -]?\d){4,}/g;

/** A text of the bank without what could name a person or an account; null: it says nothing. */
export function keptText(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const kept = redactedText(text)
    .replaceAll(numbers, '…')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
  return kept === '' ? null : kept;
}

const outcomes: readonly string[] = [...bankOutcomes, ...waitingWords];

/** @throws ApiError parameter_invalid: a word that the bank does not have would be lost as known, and its money with it */
function assertSaid(fact: OrderFact): void {
  if (!outcomes.includes(fact.outcome)) throw fail('parameter_invalid', { param: 'outcome' });
  if ('amount' in fact && !Number.isSafeInteger(fact.amount))
    throw fail('parameter_invalid', { param: 'amount' });
  const needsAmount = fact.outcome === 'settled' || fact.outcome === 'returned';
  if (needsAmount && !('amount' in fact)) throw fail('parameter_missing', { param: 'amount' });
  if (fact.outcome === 'failed' && typeof fact.reason !== 'string')
    throw fail('parameter_missing', { param: 'reason' });
}

/**
 * A fact of the bank as we hold it: the words of a refusal are about the reason alone (rules/failure-codes#15). A
 * module need not be checked by a compiler: who or what else it says is left out.
 * @throws ApiError parameter_invalid, parameter_missing: it says nothing that can be booked
 */
export function heldFact(fact: OrderFact): OrderFact {
  assertSaid(fact);
  if (fact.outcome !== 'failed' && fact.outcome !== 'cancelled') return fact;
  const { saidBy, text, ...rest } = fact;
  const by = refusers.find((one) => one === saidBy);
  const kept = keptText(text);
  return { ...rest, ...(by && { saidBy: by }), ...(kept !== null && { text: kept }) };
}

/** The most reasons of a decision that are kept, and the most signals. */
const most = 30;

const results = ['passed', 'failed', 'unclear', 'not_done'] as const;

function heldFinding({ check, result, reasons = [] }: IdentityFinding): IdentityFinding {
  const words = reasons.slice(0, most).flatMap((reason) => keptText(reason) ?? []);
  return {
    check: keptText(check) ?? '…',
    result: results.find((one) => one === result) ?? 'unclear',
    ...(words.length > 0 && { reasons: words }),
  };
}

/** A decision as we hold it: what is said beside it names nobody. */
export function heldIdentity({ reasons, checks, signals, ...fact }: IdentityFact): IdentityFact {
  const kept = (reasons ?? []).slice(0, most).flatMap((reason) => keptText(reason) ?? []);
  const named = Object.entries(signals ?? {}).slice(0, most);
  const found = (checks ?? []).slice(0, most).map(heldFinding);
  return {
    ...fact,
    ...(kept.length > 0 && { reasons: kept }),
    ...(found.length > 0 && { checks: found }),
    ...(named.length > 0 && {
      signals: Object.fromEntries(
        named.map(([name, value]) => [keptText(name) ?? '…', keptText(value) ?? '…']),
      ),
    }),
  };
}

/** The one who refused an order, and the words, as a row keeps them. */
export const saidOf = (answer: BankOutcome) =>
  answer.outcome === 'failed' || answer.outcome === 'cancelled'
    ? { said_by: answer.saidBy ?? null, said_text: answer.text ?? null }
    : { said_by: null, said_text: null };
