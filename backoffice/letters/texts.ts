import { resultDayOf } from '@tenant-payments/service/resources/disputes/regulation_e.ts';
import type { Day } from '@tenant-payments/service/resources/limits/days.ts';
import { dollars, longDay } from '@tenant-payments/service/resources/statements/words.ts';
import type { LetterKind } from '../contract/operate/dispute_letters.ts';
import { creditText, determinedCredit } from './credit_texts.ts';
import type { LetterFacts } from './facts.ts';

/** A part of a letter under its heading. */
export interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** What is said in a letter of this kind. */
export interface LetterTexts {
  readonly lead: string;
  readonly sections: readonly Section[];
}

const finished = 'We have finished the investigation of your notice';

/** What was found, by the type of the notice. */
const findings = {
  error: {
    approved: `${finished} and found that an error occurred.`,
    partly: `${finished} and found that an error occurred, but in a different amount than you told us.`,
    denied: `${finished} and found that no error occurred.`,
    why: 'found that they are correct.',
  },
  unauthorized_transfer: {
    approved: `${finished} and found that the transfer was unauthorized.`,
    partly: `${finished} and found an unauthorized transfer, but in a different amount than you told us.`,
    denied: `${finished} and found no unauthorized transfer.`,
    why: 'found that no transfer was made without authority.',
  },
  purchase_dispute: {
    approved: `${finished} and decided it in your favor.`,
    partly: `${finished} and decided it in your favor in part.`,
    denied: `${finished} and did not decide it in your favor.`,
    why: 'found no reason to credit the purchase to you.',
  },
} as const;

/** What the reviewer wrote, in its paragraphs; null: nothing. */
const written = ({ dispute: { finding } }: LetterFacts): readonly string[] | null =>
  finding === null ? null : finding.trim().split(/\n\s*\n/);

const creditSection = (paragraphs: readonly string[]): Section[] =>
  paragraphs.length === 0 ? [] : [{ heading: 'Your credit', paragraphs }];

/** [1005.11(d)(1)] */
const documents = ({ dispute }: LetterFacts): Section[] =>
  dispute.regulation_e
    ? [
        {
          heading: 'Your right to the documents',
          paragraphs: [
            'You may ask us for copies of the documents on which we relied in this decision. We will send them to you promptly.',
          ],
        },
      ]
    : [];

/** [1005.11(c)(2)(i), (ii)] */
function provisionalTexts(facts: LetterFacts): LetterTexts {
  const { regulation_e, notice_received_at, credit_route } = facts.dispute;
  const inAccount = credit_route === 'account';
  const isHeld = credit_route === 'suspense';
  return {
    lead: 'We are investigating your notice. Until we have finished, you have a provisional credit.',
    sections: [
      ...creditSection([
        creditText(facts, 'provisional'),
        ...(isHeld ? [] : ['You have the full use of this money while we investigate.']),
      ]),
      {
        heading: 'What comes next',
        paragraphs: [
          regulation_e
            ? `We will finish the investigation by ${longDay(resultDayOf(notice_received_at))} at the latest, and tell you the result within three business days after that.`
            : 'We will tell you the result when we have finished the investigation.',
          `If we decide in your favor, the credit becomes final. ${
            inAccount
              ? 'If we do not, or only in part, we will tell you how much we debit from your account, and when, before we do so.'
              : ''
          }`.trim(),
        ],
      },
    ],
  };
}

/** [1005.11(c)(2)(iii), (iv)] */
function correctionTexts(facts: LetterFacts, day: Day): LetterTexts {
  const credit = determinedCredit(facts, day);
  const nothing = 'The amount has been returned to you already, so no further credit is due.';
  const isNothing = (facts.dispute.award_cents ?? 0) === 0;
  return {
    lead: findings[facts.dispute.type].approved,
    sections: creditSection([...(isNothing ? [nothing] : []), ...credit]),
  };
}

function partlyTexts(facts: LetterFacts, day: Day): LetterTexts {
  const { type, disputed_cents, award_cents } = facts.dispute;
  const award = dollars(award_cents ?? 0);
  const of = disputed_cents === null ? '' : ` of the ${dollars(disputed_cents)} in dispute`;
  return {
    lead: findings[type].partly,
    sections: [
      {
        heading: 'What we found',
        paragraphs: [`We found that ${award}${of} is due to you.`, ...(written(facts) ?? [])],
      },
      ...creditSection(determinedCredit(facts, day)),
      ...documents(facts),
    ],
  };
}

const endedTexts = (facts: LetterFacts, day: Day, lead: string): LetterTexts => ({
  lead,
  sections: creditSection(determinedCredit(facts, day)),
});

function resultTexts(facts: LetterFacts, day: Day): LetterTexts {
  const { outcome } = facts.dispute;
  if (outcome === 'withdrawn')
    return endedTexts(facts, day, 'You withdrew your notice, so we have ended the investigation.');
  if (outcome === 'refunded_by_merchant')
    return endedTexts(
      facts,
      day,
      'The amount in dispute has been refunded to you, so we have ended the investigation of your notice.',
    );
  return partlyTexts(facts, day);
}

/** [1005.11(d)] */
function denialTexts(facts: LetterFacts, day: Day): LetterTexts {
  const { type, provisional_credit_amount } = facts.dispute;
  const records = facts.movement ? 'the transaction above' : 'your account';
  const compared = `We compared your notice with our records of ${records} and`;
  const without = 'You received no provisional credit, so nothing is debited from your account.';
  return {
    lead: findings[type].denied,
    sections: [
      {
        heading: 'What we found',
        paragraphs: written(facts) ?? [`${compared} ${findings[type].why}`],
      },
      ...creditSection(
        provisional_credit_amount === null ? [without] : determinedCredit(facts, day),
      ),
      ...documents(facts),
    ],
  };
}

/** What is said of each kind, of a letter of this day. */
export const letterTexts: Readonly<
  Record<LetterKind, (facts: LetterFacts, day: Day) => LetterTexts>
> = {
  provisional_credit: provisionalTexts,
  correction: correctionTexts,
  result: resultTexts,
  denial: denialTexts,
};
