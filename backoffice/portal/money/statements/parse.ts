import { maximumCents } from '@tenant-payments/contract/core/money.ts';
import { readableFault } from '@tenant-payments/contract/core/readable.ts';
import { CsvFault, type CsvRow, readCsv } from '@tenant-payments/service/http/files/read_csv.ts';
import { statementColumns, statementLimits } from '../../../contract/money/bank_statements.ts';

/** A line of a statement. */
export interface StatementLine {
  readonly line: number;
  /** Cents; below zero the bank paid out. */
  readonly amount: number;
  readonly reference: string | null;
  readonly description: string | null;
}

export interface ParsedStatement {
  readonly lines: readonly StatementLine[];
  readonly closing_balance: number | null;
}

/** A line that refuses the file. */
export class LineFault extends Error {
  readonly details: { readonly reason: string; readonly line: number };

  constructor(line: number, reason: string, message: string) {
    super(`line ${line}: ${message}`);
    this.details = { reason, line };
  }
}

export const refused = (line: number, reason: string, message: string): LineFault =>
  new LineFault(line, reason, message);

const names: readonly string[] = Object.values(statementColumns).flat();

type Cells = Readonly<Record<string, string>>;

/** The columns of the file, by the names in its first line. */
function columnsOf({ line, cells }: CsvRow): string[] {
  const found = cells.map((cell) => cell.trim().toLowerCase());
  const unknown = found.find((name, at) => !names.includes(name) || found.indexOf(name) !== at);
  if (unknown !== undefined)
    throw refused(line, 'unknown_column', `the column "${unknown}" is unknown or given twice`);
  const missing = statementColumns.required.find((name) => !found.includes(name));
  if (missing) throw refused(line, 'missing_column', `the column "${missing}" is missing`);
  if (statementColumns.amounts.filter((name) => found.includes(name)).length !== 1)
    throw refused(line, 'missing_column', 'give one column, "amount" or "amount_cents"');
  return found;
}

const forms = {
  amount: /^([+-]?)(\d{1,13})(?:\.(\d{1,2}))?$/,
  amount_cents: /^([+-]?)(\d{1,15})()$/,
} as const;

/** Dollars or cents as cents; null: not an amount. */
function centsOf(text: string, column: keyof typeof forms): number | null {
  const [, sign, whole, part = ''] = forms[column].exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const cents =
    column === 'amount' ? Number(whole) * 100 + Number(part.padEnd(2, '0')) : Number(whole);
  if (cents > maximumCents) return null;
  return sign === '-' && cents !== 0 ? -cents : cents;
}

interface File {
  readonly day: string;
  readonly column: keyof typeof forms;
}

function amountIn(line: number, name: string, text: string, { column }: File): number {
  const cents = centsOf(text, column);
  if (cents !== null) return cents;
  const form = column === 'amount' ? 'dollars, such as -12.50' : 'cents, such as -1250';
  throw refused(line, 'bad_amount', `${name} must be ${form}`);
}

const badText = {
  format: 'holds a character that is no text',
  bidirectional_control: 'holds a hidden character that reverses the order of its letters',
} as const;

/** Null where nobody could read it: a bank that has nothing to say writes a dash. */
export function textIn(line: number, name: string, text: string): string | null {
  if (text.length > statementLimits.cell)
    throw refused(line, 'too_long', `${name} has more than ${statementLimits.cell} characters`);
  const fault = readableFault(text);
  if (fault === 'nothing_visible') return null;
  if (fault !== null) throw refused(line, 'bad_text', `${name} ${badText[fault]}`);
  return text.trim();
}

function lineOf(line: number, cells: Cells, file: File): StatementLine {
  const { date = '', reference = '', description = '' } = cells;
  if (date.trim() !== file.day)
    throw refused(line, 'other_day', `date must be ${file.day}, the day of the statement`);
  const amount = amountIn(line, file.column, cells[file.column] ?? '', file);
  if (amount === 0) throw refused(line, 'bad_amount', 'an amount of zero moves nothing');
  return {
    line,
    amount,
    reference: textIn(line, 'reference', reference),
    description: textIn(line, 'description', description),
  };
}

/** The closing balance, which one line gives, or several alike. */
function closingOf(rows: readonly { line: number; cells: Cells }[], file: File): number | null {
  let closing: number | null = null;
  for (const { line, cells } of rows) {
    const text = cells.closing_balance ?? '';
    if (text.trim() === '') continue;
    const found = amountIn(line, 'closing_balance', text, file);
    if (closing !== null && found !== closing)
      throw refused(line, 'other_balance', 'closing_balance differs from that of an earlier line');
    closing = found;
  }
  return closing;
}

function rowsOf(csv: string): CsvRow[] {
  // A reader of CSV would write another letter in place of half a one.
  const half = csv.search(/\p{Surrogate}/u);
  if (half >= 0)
    throw refused(csv.slice(0, half).split(/\r\n?|\n/).length, 'bad_text', `it ${badText.format}`);
  try {
    return readCsv(csv);
  } catch (error) {
    if (error instanceof CsvFault) throw refused(error.line, 'no_csv', error.message);
    throw error;
  }
}

/**
 * The lines of a statement (rules/money-desk#11). A line that moves nothing may give the closing balance:
 * its amount is empty.
 * @throws LineFault
 */
export function parseStatement(csv: string, day: string): ParsedStatement {
  const [first, ...rest] = rowsOf(csv);
  if (!first) throw refused(1, 'no_csv', 'the file is empty');
  const columns = columnsOf(first);
  if (rest.length > statementLimits.lines)
    throw refused(
      rest.at(-1)?.line ?? 1,
      'too_many_lines',
      `a statement has at most ${statementLimits.lines} lines`,
    );
  const rows = rest.map(({ line, cells }) => {
    if (cells.length !== columns.length)
      throw refused(
        line,
        'other_columns',
        `${columns.length} cells are needed, not ${cells.length}`,
      );
    return { line, cells: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])) };
  });
  const column = columns.includes('amount') ? 'amount' : 'amount_cents';
  const file: File = { day, column };
  const isBalanceAlone = (cells: Cells) =>
    (cells[column] ?? '').trim() === '' && (cells.closing_balance ?? '').trim() !== '';
  const lines = rows
    .filter(({ cells }) => !isBalanceAlone(cells))
    .map(({ line, cells }) => lineOf(line, cells, file));
  return { lines, closing_balance: closingOf(rows, file) };
}
