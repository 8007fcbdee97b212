import type { Confirmation, Place } from '@tenant-payments/contract/hosted/view.ts';
import type { Row } from '../../ui/row.ts';
import type { Texts } from '../texts/en.ts';

type Words = Texts['confirm'];

const bankName = ({ institution_name, account_mask }: Place, { masked }: Words): string =>
  [institution_name, account_mask && masked(account_mask)].filter(Boolean).join(', ');

/** A place of the customer, in words. */
const own = (place: Place, words: Words): string =>
  place.type === 'balance' ? words.balance : bankName(place, words);

/** Where the money goes: a person or shop, the customer's bank, or the balance. */
function destination({ type, counterparty, to }: Confirmation, words: Words): string {
  if (type === 'payment') return counterparty ?? '';
  if (type === 'refund' && counterparty && to)
    return to.type === 'balance'
      ? words.theirBalance(counterparty)
      : words.theirBank(counterparty, bankName(to, words));
  return to ? own(to, words) : '';
}

/**
 * What the customer must see to decide: to whom, where, what for, from where, at what cost.
 * @param dollars writes cents as money
 */
export function rowsOf(
  confirmation: Confirmation,
  words: Words,
  dollars: (cents: number) => string,
): readonly Row[] {
  const { rows } = words;
  const { type, amount, fees, total, from } = confirmation;
  const feeCents = total - amount;
  const facts: readonly (readonly [string, string | null])[] = [
    [rows.to, destination(confirmation, words)],
    [rows.at, confirmation.collection_point],
    [rows.description, confirmation.description],
    [rows.order, confirmation.order_reference],
    [rows.invoice, confirmation.invoice_reference],
    [rows.from, own(from, words)],
    [rows.fee, type === 'payment' ? (feeCents > 0 ? dollars(feeCents) : rows.noFee) : null],
    [rows.total, feeCents > 0 && fees.length > 0 ? dollars(total) : null],
  ];
  return facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [{ name, value, isStrong: name === rows.total }],
  );
}
