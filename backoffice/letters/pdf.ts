import type { Readable } from 'node:stream';
import { startOfDay } from '@tenant-payments/service/resources/limits/days.ts';
import { openDocument } from '@tenant-payments/service/resources/statements/document.ts';
import { openLettering } from '@tenant-payments/service/resources/statements/lettering/lettering.ts';
import { type Column, openSheet } from '@tenant-payments/service/resources/statements/sheet.ts';
import { longDay } from '@tenant-payments/service/resources/statements/words.ts';
import type { Letter } from './content.ts';

const textSize = 10;

const columns: readonly Column[] = [
  { name: 'Item', x: 0, width: 140 },
  { name: 'Detail', x: 140, width: 364 },
];

/**
 * A letter as a tagged PDF, on the sheet of the statements. The same content gives the same bytes.
 * @returns a stream that fails when writing does
 */
export async function letterPdf(letter: Letter): Promise<Readable> {
  const { title, issuer, sender, day, customer, lead, subject, sections, closing } = letter;
  const document = await openDocument(title, startOfDay(day));
  const file = document as unknown as Readable;
  const texts = [issuer, ...sender, customer, lead, ...subject.flat(), ...closing];
  for (const { paragraphs } of sections) texts.push(...paragraphs);
  const lettering = await openLettering(document, texts);
  const sheet = openSheet(document, `${title}, ${longDay(day)}`, { lettering, textSize });
  for (const line of [issuer, ...sender, longDay(day)]) sheet.paragraph(line);
  sheet.gap();
  sheet.title(title);
  sheet.prose(`Dear ${customer},`);
  sheet.prose(lead);
  sheet.heading('Your notice');
  const table = sheet.table(columns);
  for (const row of subject) table.row(row);
  table.end();
  for (const { heading, paragraphs } of sections) {
    sheet.heading(heading);
    for (const paragraph of paragraphs) sheet.prose(paragraph);
  }
  sheet.gap();
  for (const paragraph of closing) sheet.prose(paragraph);
  sheet.prose(`Sincerely, ${issuer}`);
  sheet.end();
  return file;
}
