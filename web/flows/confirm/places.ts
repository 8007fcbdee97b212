import type { Confirmation, Place } from '@tenant-payments/contract/hosted/view.ts';
import { isolated } from '../../ui/isolated.ts';
import type { Row } from '../../ui/row.ts';
import type { Texts } from '../texts/en.ts';
import { courseOf } from './course.ts';

type Words = Texts['confirm'];

const bankName = ({ institution_name, account_mask }: Place, { masked }: Words): string =>
  [institution_name && isolated(institution_name), account_mask && masked(account_mask)]
    .filter(Boolean)
    .join(', ');

/** A place of the customer, in words. */
function own(place: Place, words: Words): string {
  const institution_name = place.institution_name || words.yourBank;
  return place.type === 'balance' ? words.balance : bankName({ ...place, institution_name }, words);
}

/** The payee in words: a person or shop, the customer's bank, or the balance. */
function destination({ type, counterparty, to }: Confirmation, words: Words): string {
  if (type === 'payment') return isolated(counterparty ?? '');
  if (type === 'refund' && counterparty && to)
    return to.type === 'balance'
      ? words.theirBalance(isolated(counterparty))
      : words.theirBank(isolated(counterparty), bankName(to, words));
  return to ? own(to, words) : '';
}

type Fact = readonly [name: string, value: string | null];

/** Writes cents as money. */
type Dollars = (cents: number) => string;

const shown = (facts: readonly Fact[], strong: string): readonly Row[] =>
  facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [{ name, value, isStrong: name === strong }],
  );

/** A text that somebody else wrote. */
const theirs = (text: string | null): string | null => text && isolated(text);

/** The rows that say to whom, where, what for and from where the money goes. */
const places = (confirmation: Confirmation, words: Words): readonly Fact[] => [
  [words.rows.to, destination(confirmation, words)],
  [words.rows.at, theirs(confirmation.collection_point)],
  [words.rows.description, theirs(confirmation.description)],
  [words.rows.order, theirs(confirmation.order_reference)],
  [words.rows.invoice, theirs(confirmation.invoice_reference)],
  [words.rows.from, own(confirmation.from, words)],
];

/** The rows of the fee and the total; a fee of nothing is said too. */
function cost({ amount, fees, total }: Confirmation, { rows }: Words, dollars: Dollars) {
  const feeCents = total - amount;
  return [
    [rows.fee, feeCents > 0 ? dollars(feeCents) : rows.noFee],
    [rows.total, feeCents > 0 && fees.length > 0 ? dollars(total) : null],
  ] as const;
}

/**
 * The rows that the customer must see to decide, with when the money arrives and what comes next.
 */
export function rowsOf(confirmation: Confirmation, words: Words, dollars: Dollars) {
  const { arrives, next } = courseOf(confirmation);
  const facts: readonly Fact[] = [
    ...places(confirmation, words),
    ...cost(confirmation, words, dollars),
    [words.rows.arrives, words.arrives[arrives]],
    [words.rows.next, next && words.next[next]],
  ];
  return shown(facts, words.rows.total);
}

/**
 * The rows of a receipt.
 * @param date in words
 * @param isPaid else no money moved, and no fee was charged
 */
export function receiptOf(
  confirmation: Confirmation,
  words: Words,
  dollars: Dollars,
  { date, isPaid }: { readonly date: string | null; readonly isPaid: boolean },
) {
  const { rows, method } = words;
  const facts: readonly Fact[] = [
    ...places(confirmation, words),
    ...(isPaid ? cost(confirmation, words, dollars) : []),
    [rows.method, method[courseOf(confirmation).method]],
    [rows.date, date],
    [rows.reference, confirmation.id],
  ];
  return shown(facts, rows.total);
}
