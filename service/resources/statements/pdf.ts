import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Content, Line } from './content.ts';
import { openDocument } from './document.ts';
import { openLettering } from './lettering/lettering.ts';
import { type Column, openSheet, type Sheet } from './sheet.ts';
import type { StatementTexts } from './texts/statement_texts.ts';
import { type StatementLanguage, statementTexts } from './texts/texts.ts';
import { dollars } from './words.ts';

/** Lines written before the event loop gets a turn: some three milliseconds. */
const linesAtOnce = 10;

const summaryColumns = ({ item, columns }: StatementTexts): readonly Column[] => [
  { name: item, x: 0, width: 200 },
  { name: columns[4], x: 200, width: 100, align: 'right' },
];

function listColumns({ columns }: StatementTexts): readonly Column[] {
  const [date, transaction, details, fee, amount, balance] = columns;
  return [
    { name: date, x: 0, width: 58 },
    { name: transaction, x: 62, width: 94 },
    { name: details, x: 160, width: 140 },
    { name: fee, x: 306, width: 48, align: 'right' },
    { name: amount, x: 354, width: 76, align: 'right' },
    { name: balance, x: 430, width: 74, align: 'right' },
  ];
}

function writeHead(sheet: Sheet, content: Content, texts: StatementTexts): void {
  const { statement, issuer, holder, institution, isSample = false } = content;
  const { period_start, period_end, account_id } = statement;
  sheet.title(texts.title);
  if (isSample) sheet.prose(texts.sample);
  sheet.paragraph(texts.providedBy(issuer));
  sheet.paragraph(texts.heldBy(institution));
  sheet.paragraph(texts.holder(holder));
  sheet.paragraph(texts.account(publicId('account', account_id)));
  sheet.paragraph(texts.statement(publicId('statement', statement.id)));
  sheet.paragraph(texts.period(period_start, period_end));
  sheet.prose(texts.other.text, texts.other.language);
}

function writeSummary(sheet: Sheet, content: Content, texts: StatementTexts): void {
  const { statement, credits, debits, fees, feesOfYear } = content;
  sheet.heading(texts.summary);
  const table = sheet.table(summaryColumns(texts));
  table.row([texts.opening, dollars(statement.opening_balance)]);
  table.row([texts.credits, dollars(credits)]);
  table.row([texts.debits, dollars(-debits)]);
  table.row([texts.closing, dollars(statement.closing_balance)]);
  table.row([texts.feesOfPeriod, dollars(fees)]);
  table.row([texts.feesOfYear(statement.period_end.slice(0, 'YYYY'.length)), dollars(feesOfYear)]);
  table.end();
}

/** Writes the lines in pieces; stops when the reader has gone. */
async function writeLines(
  sheet: Sheet,
  content: Content,
  texts: StatementTexts,
  isWanted: () => boolean,
): Promise<void> {
  const { lines, summed, transactions, statement } = content;
  sheet.heading(texts.transactions);
  if (transactions === 0) sheet.paragraph(texts.none);
  if (summed) sheet.paragraph(texts.summed(transactions));
  if (transactions === 0) return;
  const table = sheet.table(listColumns(texts));
  const detailOf = ({ detail }: Line) => (summed ? texts.counted(Number(detail)) : detail);
  let balance = statement.opening_balance;
  for (const [index, line] of lines.entries()) {
    const { day, type, fee, net } = line;
    balance += net;
    const cells = [
      texts.day(day),
      texts.types[type],
      detailOf(line),
      fee === 0 ? '' : dollars(fee),
    ];
    table.row([...cells, dollars(net), dollars(balance)]);
    if (index % linesAtOnce === 0) await nextTurn();
    if (!isWanted()) return;
  }
  table.end();
}

/** Writes whom to ask, and an individual's rights [12 CFR 1005.9(b)(5), 1005.8(b)]. */
function writeRights(sheet: Sheet, content: Content, texts: StatementTexts): void {
  const { institution, isIndividual } = content;
  sheet.gap();
  sheet.heading(texts.inquiries);
  for (const line of texts.directTo(institution)) sheet.prose(line);
  if (!isIndividual) return;
  sheet.heading(texts.errors);
  for (const paragraph of texts.notice(institution)) sheet.prose(paragraph);
}

/** The texts of people and banks on a statement. */
const textsIn = ({ issuer, holder, institution, lines }: Content): string[] => [
  issuer,
  holder,
  ...Object.values(institution),
  ...lines.map(({ detail }) => detail),
];

/**
 * A statement as a tagged PDF of US Letter pages, without scripts or links. The same content gives
 * the same bytes. Letters that the standard fonts lack are embedded (rules/reports#26).
 * @returns a stream that fails when writing does
 */
export async function statementPdf(
  content: Content,
  language: StatementLanguage = 'en',
): Promise<Readable> {
  const { period_start, period_end, available_at } = content.statement;
  const texts = statementTexts[language];
  const name = texts.name(period_start, period_end);
  const document = await openDocument(name, available_at, texts.language);
  const file = document as unknown as Readable;
  const lettering = await openLettering(document, textsIn(content));
  async function write(): Promise<void> {
    const options = { lettering, page: texts.page };
    const sheet = openSheet(document, texts.footer(period_start, period_end), options);
    writeHead(sheet, content, texts);
    writeSummary(sheet, content, texts);
    await writeLines(sheet, content, texts, () => !file.destroyed);
    writeRights(sheet, content, texts);
    sheet.end();
  }
  write().catch((error: Error) => file.destroy(error));
  return file;
}
