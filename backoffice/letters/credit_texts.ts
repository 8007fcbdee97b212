import { type Day, easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import { dollars, longDay } from '@tenant-payments/service/resources/statements/words.ts';
import { debitOf } from './due.ts';
import type { LetterFacts } from './facts.ts';

/** What letters say of a credit: where it went, what of it is final, what is debited. */

const dayOfCredit = ({ creditedAt }: LetterFacts): string =>
  creditedAt === null ? '' : longDay(easternDay(creditedAt));

/** When a credit was made, and where it went (rules/disputes#31). */
export function creditText(facts: LetterFacts, is: 'provisional' | 'final'): string {
  const { dispute, bank } = facts;
  const amount = dollars(dispute.credited_cents);
  const day = dayOfCredit(facts);
  const name = is === 'provisional' ? 'provisional credit' : 'credit';
  const as = is === 'provisional' ? ' as a provisional credit' : '';
  if (dispute.credit_route === 'account')
    return `On ${day} we credited ${amount} to your account${as}.`;
  if (dispute.credit_route === 'suspense')
    return `Your account is closed, and we know no bank account that can receive your ${name} of ${amount}. We have held the money for you since ${day}. Contact us, so that we can pay it.`;
  return `Your account is closed. On ${day} we sent ${amount} to your bank account ${bank}${as}.`;
}

/** What of the provisional credit stays with the customer; null: none was given, or nothing stays. */
function finalText(facts: LetterFacts): string | null {
  const { provisional_credit_amount: provisional, award_cents } = facts.dispute;
  const award = award_cents ?? 0;
  if (provisional === null || award === 0) return null;
  const given = `the provisional credit of ${dollars(provisional)} that we gave you on ${dayOfCredit(facts)}`;
  return award < provisional
    ? `Of ${given}, ${dollars(award)} is final.`
    : `${given.replace('the', 'The')} is final.`;
}

/** Date and amount of the debit, and the five business days before it [1005.11(d)(2)]. */
function debitTexts(facts: LetterFacts, day: Day): string[] {
  const debit = debitOf(facts, day);
  if (!debit) return [];
  const { credited_cents } = facts.dispute;
  const isWhole = debit.amount === credited_cents;
  const amount = dollars(debit.amount);
  const what = isWhole ? `this credit of ${amount}` : `${amount} of this credit`;
  return [
    ...(isWhole ? [creditText(facts, 'provisional')] : []),
    `On ${longDay(debit.day)} we will debit ${what} from your account. If less is available on that day, we will debit only what is available.`,
    `You have the full use of the credit until then. Through ${longDay(debit.honoredThrough)}, the fifth business day after the date of this letter, we will honor checks, drafts and similar instruments payable to third parties, and preauthorized transfers from your account, without charge to you as a result of an overdraft. We will honor those items that we would have paid if the credit had not been debited.`,
  ];
}

/** What becomes of the credit at the determination, for as many paragraphs as it takes. */
export function determinedCredit(facts: LetterFacts, day: Day): string[] {
  const { provisional_credit_amount: provisional, award_cents, credited_cents } = facts.dispute;
  const award = award_cents ?? 0;
  if (provisional === null) return award > 0 ? [creditText(facts, 'final')] : [];
  const final = finalText(facts);
  const debits = debitTexts(facts, day);
  const isKept = credited_cents > award && debits.length === 0;
  return [
    ...(final === null ? [] : [final]),
    ...debits,
    ...(isKept
      ? [
          `Your account is closed. We will not take back any of the provisional credit of ${dollars(provisional)} that we gave you on ${dayOfCredit(facts)}.`,
        ]
      : []),
  ];
}
