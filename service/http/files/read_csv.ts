import { CsvError, parse } from 'csv-parse/sync';

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

const linesIn = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => lines + cell.split('\n').length - 1, 0);

/**
 * The rows of a CSV file (RFC 4180); lines without anything are left out.
 * @throws CsvFault where a quote is not closed, or stands within a cell
 */
export function readCsv(file: string): CsvRow[] {
  // csv-parse counts `\r\n` within quotes as two lines.
  const text = file.replaceAll(/\r\n?/g, '\n');
  const rows: CsvRow[] = [];
  let next = 1;
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells, { lines, empty_lines }) {
        rows.push({ line: lines - linesIn(cells), cells });
        next = lines + 1 - empty_lines;
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser tells the end of the file where a quote was never closed.
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    const line = isOpen ? next + Number(error.empty_lines) : Number(error.lines);
    throw new CsvFault(line, 'a quote is not closed, or stands within a cell');
  }
}
