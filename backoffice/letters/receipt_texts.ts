import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { handledAs } from '@tenant-payments/service/resources/disputes/table.ts';
import { easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import { longDay } from '@tenant-payments/service/resources/statements/words.ts';
import { contactOf } from './contact.ts';
import type { LetterFacts } from './facts.ts';
import type { LetterTexts } from './letter.ts';

/** Letters at the receipt of a notice that came late, or that was answered before. */

/** [1005.6(b), comment 11(b)(1)-7] (rules/disputes#53) */
export const lateTexts = (facts: LetterFacts): LetterTexts => ({
  lead: 'We have received your notice of an unauthorized transfer, and we are investigating it.',
  sections: [
    {
      heading: 'Your notice came late',
      paragraphs: [
        'You told us later than 60 days after we had sent you the statement that first shows the transfer. The time limits of 12 CFR 1005.11 for our investigation and the provisional credit do not apply. We will tell you the result.',
      ],
    },
    {
      heading: 'What you bear at most',
      paragraphs: [
        'The limits of 12 CFR 1005.6 do apply. You bear nothing of a transfer because of this delay alone. You can only bear transfers that came after the 60 days, and that we could have stopped had you told us within them.',
        'If a phone or another means of access was lost or stolen, you bear at most $50 where you told us within two business days after you learned of it, and at most $500 where you told us later.',
      ],
    },
    {
      heading: 'If something kept you from telling us',
      paragraphs: [
        `If you could not tell us in time, such as on a long journey or in a hospital, let us know: ${contactOf(facts)}. We will then extend these times.`,
      ],
    },
  ],
});

const answers = {
  approved: 'decided it in your favor',
  partially_approved: 'decided it in your favor in part',
  denied: 'did not decide it in your favor',
} as const;

function answerOf({ answered }: LetterFacts): string {
  const { outcome, resolved_at, id } = answered ?? {};
  if (!id || !resolved_at || !outcome || !(outcome in answers)) return 'We have answered it.';
  const how = answers[outcome as keyof typeof answers];
  return `On ${longDay(easternDay(resolved_at))} we finished the investigation of that notice (dispute ID ${publicId('dispute', id)}) and ${how}. We told you what we had found.`;
}

const kinds = {
  error: 'error',
  unauthorized_transfer: 'unauthorized transfer',
  purchase_dispute: 'purchase',
} as const;

/** [1005.11(e)] (rules/disputes#58) */
export const reassertedTexts = (facts: LetterFacts): LetterTexts => ({
  lead: `We have received your notice. You told us of the same ${kinds[handledAs(facts.dispute)]} before.`,
  sections: [
    {
      heading: 'Our answer',
      paragraphs: [
        answerOf(facts),
        'An error that was answered needs no second investigation (12 CFR 1005.11(e)). Your new notice has no time limit, and you receive no provisional credit for it.',
      ],
    },
    {
      heading: 'What you can do',
      paragraphs: [
        `If you have new information, give it to us: ${contactOf(facts)}, and give the dispute ID above. We will look at it.`,
        'You may ask us for copies of the documents on which we relied. If you find an error in them, tell us within 60 days after you have received them, and we will investigate it anew.',
      ],
    },
  ],
});
