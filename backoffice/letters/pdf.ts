import type { Readable } from 'node:stream';
import { startOfDay } from '@tenant-payments/service/resources/limits/days.ts';
import { openDocument } from '@tenant-payments/service/resources/statements/document.ts';
import { openLettering } from '@tenant-payments/service/resources/statements/lettering/lettering.ts';
import { type Column, openSheet } from '@tenant-payments/service/resources/statements/sheet.ts';
import type { Letter } from './content.ts';

const textSize = 10;

const columnsOf = ([item, detail]: readonly [string, string]): readonly Column[] => [
  { name: item, x: 0, width: 140 },
  { name: detail, x: 140, width: 364 },
];

/**
 * A letter as a tagged PDF, on the sheet of the statements. The same content gives the same bytes.
 * @returns a stream that fails when writing does
 */
export async function letterPdf(letter: Letter): Promise<Readable> {
  const { title, issuer, sender, day, customer, lead, subject, sections, closing, words } = letter;
  const document = await openDocument(title, startOfDay(day), words.language);
  const file = document as unknown as Readable;
  const texts = [issuer, ...sender, customer, lead, ...subject.flat(), ...closing];
  for (const { paragraphs } of sections) texts.push(...paragraphs);
  const lettering = await openLettering(document, texts);
  const date = words.longDay(day);
  const options = { lettering, textSize, page: words.page };
  const sheet = openSheet(document, `${title}, ${date}`, options);
  for (const line of [issuer, ...sender, date]) sheet.paragraph(line);
  sheet.gap();
  sheet.title(title);
  sheet.prose(words.dear(customer));
  sheet.prose(lead);
  sheet.heading(words.subject.heading);
  const table = sheet.table(columnsOf(words.columns));
  for (const row of subject) table.row(row);
  table.end();
  for (const { heading, paragraphs } of sections) {
    sheet.heading(heading);
    for (const paragraph of paragraphs) sheet.prose(paragraph);
  }
  sheet.gap();
  for (const paragraph of closing) sheet.prose(paragraph);
  sheet.prose(words.sincerely(issuer));
  sheet.prose(words.other.text, words.other.language);
  sheet.end();
  return file;
}
