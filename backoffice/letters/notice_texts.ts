import type { Block, Contents } from '@tenant-payments/service/rails/mail/content.ts';
import type { NoticeTexts } from '@tenant-payments/service/resources/customers/notices/port.ts';
import type { LetterMoment } from '@tenant-payments/service/resources/disputes/letters.ts';
import { easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import { letterKinds } from '../contract/operate/dispute_letters.ts';
import { type Letter, letterOf } from './content.ts';
import { dueOf } from './due.ts';
import { readLetterFacts } from './facts.ts';

/** The letters that can be written at each moment: one of them is due. */
const moments: Readonly<Record<string, readonly string[]>> = {
  receipt: ['late_notice', 'reasserted'],
  credit: ['provisional_credit'],
  result: ['correction', 'result', 'denial'],
} satisfies Record<LetterMoment, readonly string[]>;

const text = (words: string): Block => ({ kind: 'text', text: words });

/** A letter as a mail says it. */
function contentsOf({ title, customer, lead, subject, sections, closing }: Letter): Contents {
  const blocks: readonly Block[] = [
    text(`Dear ${customer},`),
    text(lead),
    { kind: 'heading', text: 'Your notice' },
    { kind: 'rows', rows: subject },
    ...sections.flatMap(({ heading, paragraphs }): Block[] => [
      { kind: 'heading', text: heading },
      ...paragraphs.map(text),
    ]),
    ...closing.map(text),
  ];
  const content = { subject: title, blocks };
  return { en: content, es: content };
}

/** The words of notices, made of their records when they are sent (rules/messages#10). */
export const noticeTexts: NoticeTexts = {
  async dispute_letter({ pool }, tenantId, { source_id, detail, created_at }) {
    const facts = await readLetterFacts(pool, tenantId, source_id);
    const ofMoment = moments[detail ?? ''] ?? [];
    const kind = letterKinds.find(
      (one) => facts && ofMoment.includes(one) && dueOf(facts, one).reason === null,
    );
    return facts && kind ? contentsOf(letterOf(facts, kind, easternDay(created_at))) : null;
  },
};
