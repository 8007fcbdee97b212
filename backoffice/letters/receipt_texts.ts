import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { handledAs } from '@tenant-payments/service/resources/disputes/table.ts';
import { easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import { contactOf } from './contact.ts';
import type { LetterTexts, Told } from './letter.ts';

/** Letters at the receipt of a notice that came late, or that was answered before. */

/** [1005.6(b), comment 11(b)(1)-7] (rules/disputes#53) */
export function lateTexts(told: Told): LetterTexts {
  const { lead, headings, came, bears, kept } = told.words.late;
  return {
    lead,
    sections: [
      { heading: headings[0], paragraphs: [came] },
      { heading: headings[1], paragraphs: bears },
      { heading: headings[2], paragraphs: [kept(contactOf(told))] },
    ],
  };
}

const isAnswer = (outcome: string | null | undefined) =>
  outcome === 'approved' || outcome === 'partially_approved' || outcome === 'denied';

function answerOf({ answered, words }: Told): string {
  const { outcome, resolved_at, id } = answered ?? {};
  if (!id || !resolved_at || !isAnswer(outcome)) return words.reasserted.answered;
  const day = words.longDay(easternDay(resolved_at));
  return words.reasserted.answer(outcome, day, publicId('dispute', id));
}

/** [1005.11(e)] (rules/disputes#58) */
export function reassertedTexts(told: Told): LetterTexts {
  const { lead, headings, noSecond, canDo } = told.words.reasserted;
  return {
    lead: lead(handledAs(told.dispute)),
    sections: [
      { heading: headings[0], paragraphs: [answerOf(told), noSecond] },
      { heading: headings[1], paragraphs: canDo(contactOf(told)) },
    ],
  };
}
