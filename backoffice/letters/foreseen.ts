import { type DisputeRow, disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import { type Day, easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import type { DryRun } from '../approvals/seen.ts';
import type { PreviewedLetter } from '../contract/operate/dispute_letters.ts';
import { type Letter, letterOf } from './content.ts';
import { dueOf } from './due.ts';
import { type LetterFacts, type LetterSource, readLetterFacts } from './facts.ts';

/** The letters that follow from a move of the reviewer's. */
const told = ['provisional_credit', 'correction', 'result', 'denial'] as const;

const inWords = (letter: Letter): PreviewedLetter['in_spanish'] => ({
  title: letter.title,
  greeting: letter.words.dear(letter.customer),
  lead: letter.lead,
  subject: letter.subject.map(([name, value]) => ({ name, value })),
  sections: letter.sections.map(({ heading, paragraphs }) => ({
    heading,
    paragraphs: [...paragraphs],
  })),
  closing: [...letter.closing],
});

function shownLetter(facts: LetterFacts, kind: PreviewedLetter['kind'], day: Day): PreviewedLetter {
  const letter = letterOf(facts, kind, day);
  return {
    kind,
    date: day,
    sender: [letter.issuer, ...letter.sender],
    customer: letter.customer,
    ...inWords(letter),
    in_spanish: inWords(letterOf(facts, kind, day, 'es')),
  };
}

/**
 * The letter that the customer would get by a move which is not made yet (rules/disputes#65); null: none.
 * @param id the dispute's uuid
 */
export async function foreseenLetter(
  source: LetterSource,
  tenantId: string,
  id: string | null,
  { done, at }: Pick<DryRun, 'done' | 'at'>,
): Promise<PreviewedLetter | null> {
  const changed = done.changed.find(
    ({ table, after }) => table === disputes.name && after.id === id,
  );
  if (!changed) return null;
  const dispute = { ...changed.after } as unknown as DisputeRow;
  const was = changed.before as unknown as DisputeRow;
  const facts = await readLetterFacts(source, tenantId, id, { dispute, at });
  if (!facts) return null;
  const kind = told.find(
    (one) => dueOf(facts, one).day !== null && dueOf({ ...facts, dispute: was }, one).day === null,
  );
  return kind === undefined ? null : shownLetter(facts, kind, easternDay(at));
}
