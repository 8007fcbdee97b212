import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Content } from './content.ts';
import { openDocument } from './document.ts';
import { openLettering } from './lettering/lettering.ts';
import { type Column, openSheet, type Sheet } from './sheet.ts';
import { dollars, longDay, shortDay, typeNames } from './words.ts';

/** Lines written before the event loop gets a turn: some three milliseconds. */
const linesAtOnce = 10;

const summaryColumns: readonly Column[] = [
  { name: 'Item', x: 0, width: 200 },
  { name: 'Amount', x: 200, width: 100, align: 'right' },
];

const listColumns: readonly Column[] = [
  { name: 'Date', x: 0, width: 62 },
  { name: 'Transaction', x: 62, width: 104 },
  { name: 'Details', x: 166, width: 150 },
  { name: 'Fee', x: 316, width: 48, align: 'right' },
  { name: 'Amount', x: 364, width: 68, align: 'right' },
  { name: 'Balance', x: 432, width: 72, align: 'right' },
];

function writeHead(sheet: Sheet, { statement, issuer, holder }: Content): void {
  const { period_start, period_end, account_id } = statement;
  sheet.title('Account statement');
  sheet.paragraph(`Provided by ${issuer}`);
  sheet.paragraph(`Account holder: ${holder}`);
  sheet.paragraph(`Account ID: ${publicId('account', account_id)}`);
  sheet.paragraph(`Statement ID: ${publicId('statement', statement.id)}`);
  sheet.paragraph(
    `Statement period: ${longDay(period_start)} to ${longDay(period_end)} (Eastern Time)`,
  );
}

function writeSummary(sheet: Sheet, { statement, credits, debits }: Content): void {
  sheet.heading('Summary');
  const table = sheet.table(summaryColumns);
  table.row(['Opening balance', dollars(statement.opening_balance)]);
  table.row(['Total credits', dollars(credits)]);
  table.row(['Total debits', dollars(-debits)]);
  table.row(['Closing balance', dollars(statement.closing_balance)]);
  table.end();
}

/** Writes the lines in pieces; stops when the reader has gone. */
async function writeLines(sheet: Sheet, content: Content, isWanted: () => boolean): Promise<void> {
  const { lines, summed, transactions, statement } = content;
  sheet.heading('Transactions');
  if (transactions === 0) sheet.paragraph('There were no transactions in this period.');
  if (summed)
    sheet.paragraph(
      `This period has ${transactions.toLocaleString('en-US')} transactions. Each line is the total of one day and type.`,
    );
  if (transactions === 0) return;
  const table = sheet.table(listColumns);
  let balance = statement.opening_balance;
  for (const [index, { day, type, detail, fee, net }] of lines.entries()) {
    balance += net;
    const cells = [shortDay(day), typeNames[type], detail, fee === 0 ? '' : dollars(fee)];
    table.row([...cells, dollars(net), dollars(balance)]);
    if (index % linesAtOnce === 0) await nextTurn();
    if (!isWanted()) return;
  }
  table.end();
}

/** The texts of people and banks on a statement. */
const textsIn = ({ issuer, holder, lines }: Content): string[] => [
  issuer,
  holder,
  ...lines.map(({ detail }) => detail),
];

/**
 * A statement as a tagged PDF of US Letter pages, without scripts or links. The same content gives
 * the same bytes. Letters that the standard fonts lack are embedded (rules/reports#26).
 * @returns a stream that fails when writing does
 */
export async function statementPdf(content: Content): Promise<Readable> {
  const { statement } = content;
  const period = `${statement.period_start} to ${statement.period_end}`;
  const document = await openDocument(`Account statement ${period}`, statement.available_at);
  const file = document as unknown as Readable;
  const lettering = await openLettering(document, textsIn(content));
  async function write(): Promise<void> {
    const sheet = openSheet(
      document,
      `Account statement, ${longDay(statement.period_start)} to ${longDay(statement.period_end)}`,
      { lettering },
    );
    writeHead(sheet, content);
    writeSummary(sheet, content);
    await writeLines(sheet, content, () => !file.destroyed);
    sheet.end();
  }
  write().catch((error: Error) => file.destroy(error));
  return file;
}
