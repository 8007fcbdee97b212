/** A row of a CSV file with the number of the line on which it begins, from 1 on. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file that is no CSV. */
export class CsvFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** A cell in quotes, with what stands doubled in it, or one without; and what ends it. */
const cellForm = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r|$)/y;

const textOf = (cell: string): string =>
  cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;

const linesIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/**
 * The rows of a CSV file (RFC 4180); lines without anything are left out.
 * @throws CsvFault where a quote is not closed, or stands within a cell
 */
export function readCsv(file: string): CsvRow[] {
  const text = file.replace(/^\uFEFF/, '');
  const rows: CsvRow[] = [];
  let [at, line, begin] = [0, 1, 1];
  let cells: string[] = [];
  while (at < text.length || cells.length > 0) {
    cellForm.lastIndex = at;
    const found = cellForm.exec(text);
    if (!found) throw new CsvFault(line, 'a quote is not closed, or stands within a cell');
    const [whole, cell = '', end = ''] = found;
    cells.push(textOf(cell));
    at += whole.length;
    line += linesIn(whole);
    if (end === ',') continue;
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: begin, cells });
    cells = [];
    begin = line;
  }
  return rows;
}
