import { resultDayOf } from '@tenant-payments/service/resources/disputes/regulation_e.ts';
import {
  handledAs,
  isLiabilityLimited,
} from '@tenant-payments/service/resources/disputes/table.ts';
import type { Day } from '@tenant-payments/service/resources/limits/days.ts';
import { dollars, longDay } from '@tenant-payments/service/resources/statements/words.ts';
import type { LetterKind } from '../contract/operate/dispute_letters.ts';
import { contactOf } from './contact.ts';
import { creditText, determinedCredit } from './credit_texts.ts';
import type { LetterFacts } from './facts.ts';
import type { LetterTexts, Section } from './letter.ts';
import { liabilitySection } from './liability_texts.ts';
import { lateTexts, reassertedTexts } from './receipt_texts.ts';

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
const documents = (facts: LetterFacts): Section[] =>
  facts.dispute.regulation_e || isLiabilityLimited(facts.dispute)
    ? [
        {
          heading: 'Your right to the documents',
          paragraphs: [
            `You may ask us for copies of the documents on which we relied in this decision: ${contactOf(facts)}, and give the dispute ID above. We will send them to you promptly.`,
            'If you find an error in them, tell us within 60 days after you have received them.',
          ],
        },
      ]
    : [];

/** What is found of a notice of its kind. */
const foundOf = ({ dispute }: LetterFacts) => findings[handledAs(dispute)];

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
    lead: foundOf(facts).approved,
    sections: [
      ...creditSection([...(isNothing ? [nothing] : []), ...credit]),
      ...liabilitySection(facts),
    ],
  };
}

function partlyTexts(facts: LetterFacts, day: Day): LetterTexts {
  const { disputed_cents, award_cents } = facts.dispute;
  const award = dollars(award_cents ?? 0);
  const of = disputed_cents === null ? '' : ` of the ${dollars(disputed_cents)} in dispute`;
  return {
    lead: foundOf(facts).partly,
    sections: [
      {
        heading: 'What we found',
        paragraphs: [`We found that ${award}${of} is due to you.`, ...(written(facts) ?? [])],
      },
      ...liabilitySection(facts),
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
  const { provisional_credit_amount, customer_bears_cents } = facts.dispute;
  const { denied, why } = foundOf(facts);
  const records = facts.movement ? 'the transaction above' : 'your account';
  const compared = `We compared your notice with our records of ${records} and`;
  const without = 'You received no provisional credit, so nothing is debited from your account.';
  return {
    lead:
      customer_bears_cents === null
        ? denied
        : `${finished} and found that the transfer was unauthorized, but that you bear it.`,
    sections: [
      {
        heading: 'What we found',
        paragraphs: written(facts) ?? [`${compared} ${why}`],
      },
      ...liabilitySection(facts),
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
  late_notice: lateTexts,
  reasserted: reassertedTexts,
  provisional_credit: provisionalTexts,
  correction: correctionTexts,
  result: resultTexts,
  denial: denialTexts,
};
