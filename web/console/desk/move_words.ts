import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import { money } from '../../ui/money.ts';
import type { CaseRecord } from './what.ts';
import { moveName } from './words.ts';

/** Moves whose buttons say the money too, where it is known. */
const withMoney = {
  credit: (amount) => `Give ${amount} provisional credit`,
  resolve_partial: (amount) => `Award ${amount}`,
  resolve_denied: (amount) => `Deny the claim of ${amount}`,
  match: (amount) => `Credit ${amount} to an account`,
  return: (amount) => `Return ${amount} to the bank`,
  book: (amount) => `Book ${amount} as moved`,
  accept: (amount) => `Give ${amount} back`,
  adjust: (amount) => `Adjust by ${amount}`,
  fund: (amount) => `Fund the reserve with ${amount}`,
} as const satisfies Record<string, (amount: string) => string>;

/** Moves that are against the customer, or that nothing undoes: their buttons are red. */
const grave: ReadonlySet<string> = new Set([
  'reject',
  'refuse',
  'resolve_denied',
  'erase',
  'suspend',
  'remove_passkeys',
]);

export const isGrave = (move: string): boolean => grave.has(move);

/** A move as its button says it: the verb, and the amount where it is known. */
export const moveWords = (move: string, amount: number | null): string =>
  amount === null
    ? moveName(move)
    : (ownValue(withMoney, move)?.(money(amount, 'en')) ?? moveName(move));

/** Moves that are about the whole amount of their record unless one is typed. */
const ofTheWhole: ReadonlySet<string> = new Set([
  'credit',
  'resolve_denied',
  'match',
  'return',
  'book',
  'accept',
]);

/** The amount that a move is about before anything is typed; null: it is not known. */
export function knownAmount(record: CaseRecord | undefined, move: string): number | null {
  if (record === undefined || !ofTheWhole.has(move)) return null;
  switch (record.object) {
    case 'dispute':
      return record.disputed_amount;
    case 'suspense':
    case 'bank_message':
    case 'return_request':
      return record.amount;
    default:
      return null;
  }
}
