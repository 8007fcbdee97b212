import { resultDayOf } from '@tenant-payments/service/resources/disputes/regulation_e.ts';
import {
  handledAs,
  isLiabilityLimited,
} from '@tenant-payments/service/resources/disputes/table.ts';
import type { Day } from '@tenant-payments/service/resources/limits/days.ts';
import { dollars } from '@tenant-payments/service/resources/statements/words.ts';
import type { LetterKind } from '../contract/operate/dispute_letters.ts';
import { contactOf } from './contact.ts';
import { creditText, determinedCredit } from './credit_texts.ts';
import type { LetterTexts, Section, Told } from './letter.ts';
import { liabilitySection } from './liability_texts.ts';
import { lateTexts, reassertedTexts } from './receipt_texts.ts';

/** The reviewer's text, in its paragraphs and its language; null: nothing. */
const written = ({ dispute: { finding } }: Told): readonly string[] | null =>
  finding === null ? null : finding.trim().split(/\n\s*\n/);

const creditSection = ({ words }: Told, paragraphs: readonly string[]): Section[] =>
  paragraphs.length === 0 ? [] : [{ heading: words.credit.heading, paragraphs }];

/** [1005.11(d)(1)] */
function documents(told: Told): Section[] {
  const { heading, paragraphs } = told.words.documents;
  return told.dispute.regulation_e || isLiabilityLimited(told.dispute)
    ? [{ heading, paragraphs: paragraphs(contactOf(told)) }]
    : [];
}

/** The finding on a notice of its kind. */
const foundOf = ({ dispute, words }: Told) => words.findings[handledAs(dispute)];

/** [1005.11(c)(2)(i), (ii)] */
function provisionalTexts(told: Told): LetterTexts {
  const { regulation_e, notice_received_at, credit_route } = told.dispute;
  const { lead, fullUse, heading, until, final, warned } = told.words.provisional;
  const isHeld = credit_route === 'suspense';
  const day = regulation_e ? told.words.longDay(resultDayOf(notice_received_at)) : null;
  return {
    lead,
    sections: [
      ...creditSection(told, [creditText(told, 'provisional'), ...(isHeld ? [] : [fullUse])]),
      {
        heading,
        paragraphs: [until(day), credit_route === 'account' ? `${final} ${warned}` : final],
      },
    ],
  };
}

/** [1005.11(c)(2)(iii), (iv)] */
function correctionTexts(told: Told, day: Day): LetterTexts {
  const credit = determinedCredit(told, day);
  const isNothing = (told.dispute.award_cents ?? 0) === 0;
  return {
    lead: foundOf(told).approved,
    sections: [
      ...creditSection(told, [...(isNothing ? [told.words.credit.nothing] : []), ...credit]),
      ...liabilitySection(told),
    ],
  };
}

function partlyTexts(told: Told, day: Day): LetterTexts {
  const { disputed_cents, award_cents } = told.dispute;
  const { heading, due } = told.words.found;
  const disputed = disputed_cents === null ? null : dollars(disputed_cents);
  return {
    lead: foundOf(told).partly,
    sections: [
      { heading, paragraphs: [due(dollars(award_cents ?? 0), disputed), ...(written(told) ?? [])] },
      ...liabilitySection(told),
      ...creditSection(told, determinedCredit(told, day)),
      ...documents(told),
    ],
  };
}

const endedTexts = (told: Told, day: Day, lead: string): LetterTexts => ({
  lead,
  sections: creditSection(told, determinedCredit(told, day)),
});

function resultTexts(told: Told, day: Day): LetterTexts {
  const { outcome } = told.dispute;
  const { withdrawn, refunded } = told.words.found;
  if (outcome === 'withdrawn') return endedTexts(told, day, withdrawn);
  if (outcome === 'refunded_by_merchant') return endedTexts(told, day, refunded);
  return partlyTexts(told, day);
}

/** [1005.11(d)] */
function denialTexts(told: Told, day: Day): LetterTexts {
  const { provisional_credit_amount, customer_bears_cents } = told.dispute;
  const { denied, why } = foundOf(told);
  const { found, credit } = told.words;
  return {
    lead: customer_bears_cents === null ? denied : found.borne,
    sections: [
      {
        heading: found.heading,
        paragraphs: written(told) ?? [why(told.movement ? 'transaction' : 'account')],
      },
      ...liabilitySection(told),
      ...creditSection(
        told,
        provisional_credit_amount === null ? [credit.without] : determinedCredit(told, day),
      ),
      ...documents(told),
    ],
  };
}

/** The texts of each kind, of a letter of this day. */
export const letterTexts: Readonly<Record<LetterKind, (told: Told, day: Day) => LetterTexts>> = {
  late_notice: lateTexts,
  reasserted: reassertedTexts,
  provisional_credit: provisionalTexts,
  correction: correctionTexts,
  result: resultTexts,
  denial: denialTexts,
};
