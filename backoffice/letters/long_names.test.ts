import { expect, test } from 'vitest';
import { readPdf } from '../../test/kit/files/pdf.ts';
import type { Letter } from './content.ts';
import { letterPdf } from './pdf.ts';
import { letterWords } from './words/words.ts';

const isNoFooter = (text: string) => !/, (page|página) \d+$/.test(text);
const unspaced = (text: string) => text.replaceAll(/\s/g, '');

test.each([
  ['many words', 'The Honorable Society of Bakers and Confectioners '.repeat(4).trim()],
  ['one word', 'W'.repeat(200)],
  ['Chinese characters', '寿司屋本店'.repeat(40)],
  ['Cyrillic letters', 'Общество пекарей и кондитеров '.repeat(6).trim()],
])('every name on a letter is whole, within its margins, where all are of %s', async (_, name) => {
  for (const language of ['en', 'es'] as const) {
    const words = letterWords[language];
    const letter: Letter = {
      title: words.titles.denial,
      issuer: name,
      sender: [name, `${name} 1`, '(212) 555-0100'],
      day: '2026-01-20',
      customer: name,
      lead: words.late.lead,
      subject: [
        [words.subject.amount, '$100.00'],
        [words.subject.party, name],
        [words.subject.disputed, '$100.00'],
      ],
      sections: Array.from({ length: 12 }, () => ({
        heading: words.documents.heading,
        paragraphs: [name],
      })),
      closing: [name],
      words,
    };
    const chunks: Buffer[] = [];
    for await (const chunk of await letterPdf(letter)) chunks.push(chunk);
    const { pages, placed } = await readPdf(new Uint8Array(Buffer.concat(chunks)));
    const text = unspaced(pages.flat().filter(isNoFooter).join(''));
    expect(text).not.toContain('…');
    // At its head, in its greeting, its table, its paragraphs, its closing and its end.
    expect(text.split(unspaced(name)).length - 1).toBe(3 + 1 + 1 + 12 + 1 + 1);
    const outside = placed.filter(({ x, width }) => x < 53.9 || x + width > 558.1);
    expect(outside).toEqual([]);
  }
});
