import { maximumCents, sumOf } from '@tenant-payments/contract/core/money.ts';
import { cutBetweenCharacters } from '@tenant-payments/contract/core/readable.ts';
import { statementLimits } from '../../../contract/money/bank_statements.ts';
import { type ParsedStatement, refused, type StatementLine, textIn } from './parse.ts';

/** A bank's statement in BAI2, the format of US banks for balances of an account (rules/money-desk#11). */

/** A record with its continuations. */
interface Bai2Record {
  /** The line of the file that it begins in, and how many it has. */
  readonly line: number;
  readonly lines: number;
  readonly code: string;
  /** All fields behind the code. */
  readonly fields: readonly string[];
}

export const isBai2 = (text: string): boolean => /^\ufeff?01,/.test(text);

const row = /^(01|02|03|16|49|88|98|99),(.*?)(\/?)$/;

/** The records of a file. A field of a row without an end goes on in the next one (88). */
function recordsOf(text: string): readonly Bai2Record[] {
  const found: { line: number; lines: number; code: string; body: string; isEnded: boolean }[] = [];
  for (const [at, given] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    if (given.trim() === '') continue;
    const [, code, body = '', end] = row.exec(given.trimEnd()) ?? [];
    const before = found.at(-1);
    const isEnded = end === '/';
    if (code === undefined || (code === '88' && !before))
      throw refused(at + 1, 'no_bai2', 'this is no record of BAI2');
    if (code !== '88' || !before) found.push({ line: at + 1, lines: 1, code, body, isEnded });
    else {
      before.body += `${before.isEnded ? ',' : ' '}${body}`;
      before.isEnded = isEnded;
      before.lines += 1;
    }
  }
  return found.map(({ body, ...record }) => ({ ...record, fields: body.split(',') }));
}

/** Cents, which BAI2 writes without a point. */
function centsIn(line: number, text: string): number {
  const cents = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(cents) <= maximumCents) return cents;
  throw refused(line, 'bad_amount', `"${text}" is no amount in cents`);
}

/** The number of fields behind a funds type that say when its money can be used. */
function fundsFields(line: number, type: string, next: string | undefined): number {
  if (type === 'S') return 3;
  if (type === 'V') return 2;
  if (type !== 'D') return 0;
  if (!/^\d{1,3}$/.test(next ?? ''))
    throw refused(line, 'no_bai2', 'the funds type D names no count');
  return 1 + 2 * Number(next);
}

interface Balance {
  readonly type: string;
  readonly cents: number;
}

/** The balances and sums that an account begins with. */
function balancesOf({ line, fields: [, , ...rest] }: Bai2Record): readonly Balance[] {
  const found: Balance[] = [];
  let at = 0;
  while (at < rest.length) {
    const [type = '', amount = '', , funds = '', next] = rest.slice(at);
    // Some banks end a row with a comma too many.
    if (type === '') at += 1;
    else {
      if (amount !== '') found.push({ type, cents: centsIn(line, amount) });
      at += 4 + fundsFields(line, funds, next);
    }
  }
  return found;
}

/** The direction of the money by the type code; 0: none moved. */
function signOf(line: number, type: string): -1 | 0 | 1 {
  const code = /^\d{3}$/.test(type) ? Number(type) : 0;
  const isIn = (from: number, to: number) => code >= from && code <= to;
  if (code === 890) return 0;
  if (isIn(100, 399) || isIn(920, 959)) return 1;
  if (isIn(400, 699) || isIn(960, 999)) return -1;
  throw refused(line, 'unknown_type', `the type code "${type}" is neither a credit nor a debit`);
}

interface Movement {
  readonly cents: number;
  /** Null: nothing moved. */
  readonly line: StatementLine | null;
}

function movementOf({ line, fields }: Bai2Record): Movement {
  const [type = '', amount = '', funds = '', ...rest] = fields;
  const cents = amount === '' ? 0 : centsIn(line, amount);
  const [bank = '', customer = '', ...text] = rest.slice(fundsFields(line, funds, rest[0]));
  const moved = signOf(line, type) * cents;
  if (moved === 0) return { cents, line: null };
  const words = cutBetweenCharacters(text.join(',').trim(), statementLimits.cell);
  return {
    cents,
    line: {
      line,
      amount: moved,
      reference:
        textIn(line, 'the customer reference', customer) ??
        textIn(line, 'the bank reference', bank),
      description: textIn(line, 'the text', words),
    },
  };
}

/** Groups of another day, of another currency, or that are no statement (a test, or what is to be deleted). */
function checkGroup({ line, fields }: Bai2Record, day: string): void {
  const [, , status = '', date = '', , currency = ''] = fields;
  if (status !== '1') throw refused(line, 'no_update', `the group status is ${status}, not 1`);
  if (date !== day.slice(2).replaceAll('-', ''))
    throw refused(line, 'other_day', `the date must be that of ${day}, the day of the statement`);
  checkCurrency(line, currency);
}

function checkCurrency(line: number, currency: string): void {
  if (currency !== '' && currency !== 'USD')
    throw refused(line, 'other_currency', `the currency is ${currency}, not USD`);
}

/** The one account of a file, from its first record to its trailer. */
function accountIn(records: readonly Bai2Record[]): readonly Bai2Record[] {
  const begins = records.filter(({ code }) => code === '03');
  const [first, second] = begins;
  if (second) throw refused(second.line, 'several_accounts', 'a file of one account is needed');
  const end = records.find(({ code }) => code === '49');
  if (!first || !end) throw refused(records.at(-1)?.line ?? 1, 'not_whole', 'it has no account');
  return records.slice(records.indexOf(first), records.indexOf(end) + 1);
}

/** A file that was cut, or whose lines were lost, is refused by its own counts. */
function checkTrailer(account: readonly Bai2Record[], total: number): void {
  const end = account.at(-1);
  const [saidTotal = '', count = ''] = end?.fields ?? [];
  const line = end?.line ?? 1;
  if (count !== '' && Number(count) !== sumOf(account, ({ lines }) => lines))
    throw refused(line, 'not_whole', `the account has other than its ${count} records`);
  if (saidTotal !== '' && Number(saidTotal) !== total)
    throw refused(line, 'not_whole', `the amounts of the account do not add up to ${saidTotal}`);
}

/** The type code of the balance at the end of a day. */
const closingLedger = '015';

/**
 * The lines of a statement in BAI2: one account and one day, with its closing ledger balance.
 * @throws LineFault
 */
export function parseBai2(text: string, day: string): ParsedStatement {
  const records = recordsOf(text);
  const [first] = records;
  const last = records.at(-1);
  if (first?.fields.at(7) !== '2') throw refused(1, 'no_bai2', 'this is not version 2 of BAI');
  if (last?.code !== '99')
    throw refused(last?.line ?? 1, 'not_whole', 'it does not end with a file trailer (99)');
  for (const record of records) if (record.code === '02') checkGroup(record, day);
  const account = accountIn(records);
  const [head] = account as readonly [Bai2Record, ...Bai2Record[]];
  checkCurrency(head.line, head.fields[1] ?? '');
  const details = account.filter(({ code }) => code === '16');
  if (details.length > statementLimits.lines)
    throw refused(
      details.at(-1)?.line ?? 1,
      'too_many_lines',
      `a statement has at most ${statementLimits.lines} lines`,
    );
  const balances = balancesOf(head);
  const movements = details.map(movementOf);
  checkTrailer(
    account,
    sumOf([...balances, ...movements], ({ cents }) => cents),
  );
  return {
    lines: movements.flatMap(({ line }) => line ?? []),
    closing_balance: balances.find(({ type }) => type === closingLedger)?.cents ?? null,
  };
}
