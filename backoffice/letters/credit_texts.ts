import { type Day, easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import { dollars } from '@tenant-payments/service/resources/statements/words.ts';
import { debitOf } from './due.ts';
import type { Told } from './letter.ts';

/** The texts of letters about a credit: where it went, what of it is final, what is debited. */

const dayOfCredit = ({ creditedAt, words }: Told): string =>
  creditedAt === null ? '' : words.longDay(easternDay(creditedAt));

/** When a credit was made, and where it went (rules/disputes#31). */
export function creditText(told: Told, is: 'provisional' | 'final'): string {
  const { dispute, bank, words } = told;
  const credit = { is, amount: dollars(dispute.credited_cents), day: dayOfCredit(told), bank };
  const { account, suspense, bank: sent } = words.credit;
  if (dispute.credit_route === 'account') return account(credit);
  return dispute.credit_route === 'suspense' ? suspense(credit) : sent(credit);
}

/**
 * The text on the part of the provisional credit that stays with the customer; null: none was given, or nothing stays.
 */
function finalText(told: Told): string | null {
  const { provisional_credit_amount: provisional, award_cents } = told.dispute;
  const award = award_cents ?? 0;
  if (provisional === null || award === 0) return null;
  const part = award < provisional ? dollars(award) : null;
  return told.words.credit.final(dollars(provisional), dayOfCredit(told), part);
}

/** Date and amount of the debit, and the five business days before it [1005.11(d)(2)]. */
function debitTexts(told: Told, day: Day): string[] {
  const debit = debitOf(told, day);
  if (!debit) return [];
  const { credit, longDay } = told.words;
  const isWhole = debit.amount === told.dispute.credited_cents;
  return [
    ...(isWhole ? [creditText(told, 'provisional')] : []),
    credit.debit(dollars(debit.amount), longDay(debit.day), isWhole),
    credit.honored(longDay(debit.honoredThrough)),
  ];
}

/** The texts on the credit at the determination, for as many paragraphs as it takes. */
export function determinedCredit(told: Told, day: Day): string[] {
  const { provisional_credit_amount: provisional, award_cents, credited_cents } = told.dispute;
  const award = award_cents ?? 0;
  if (provisional === null) return award > 0 ? [creditText(told, 'final')] : [];
  const final = finalText(told);
  const debits = debitTexts(told, day);
  const isKept = credited_cents > award && debits.length === 0;
  return [
    ...(final === null ? [] : [final]),
    ...debits,
    ...(isKept ? [told.words.credit.kept(dollars(provisional), dayOfCredit(told))] : []),
  ];
}
