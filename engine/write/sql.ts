import { copyRows } from '../database/binary.ts';

/** One statement of a flush: a fixed text for each table and kind, so that it is prepared once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  /** The bytes that a COPY reads. */
  readonly copies?: Buffer;
  /** Gets its rows, once its transaction has committed. */
  readonly answered?: (rows: readonly object[]) => void;
}

/**
 * How new rows of a table are written: by COPY, which writes those of a page as one record of the log.
 * @param columns their types, by name
 * @returns the statement for rows that have a cell for each column
 */
export function copyInto(table: string, columns: Readonly<Record<string, string>>) {
  const names = Object.keys(columns);
  const types = Object.values(columns);
  // A table is written whole, or with the columns that have no default.
  const name = `copy ${table} ${names.length}`;
  const text = `copy ${table} (${names.join(', ')}) from stdin (format binary)`;
  return (rows: readonly (readonly unknown[])[]): Statement => ({
    name,
    text,
    values: [],
    copies: copyRows(types, rows),
  });
}
