/**
 * PostgreSQL array literals, written here because the driver's own writer escapes every cell: only
 * text needs it. A batch travels as one array a column (`unnest`), which costs the server half of
 * what JSON recordsets do.
 */
const plainTypes = new Set(['uuid', 'integer', 'smallint', 'bigint', 'boolean', 'date']);
const needsEscape = /["\\]/g;

/** One column of a batch as `type[]` text. Instants hold no character that needs quoting. */
export function cells(pgType: string, values: readonly unknown[]): string {
  if (plainTypes.has(pgType) || pgType === 'timestamptz') {
    return `{${values.map((value) => (value === null || value === undefined ? 'NULL' : String(value))).join(',')}}`;
  }
  return `{${values.map(quoted).join(',')}}`;
}

function quoted(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${text.replace(needsEscape, '\\$&')}"`;
}

/** Between bodies of one delimited text: JSON.stringify escapes it, so no body can hold it. */
export const bodySeparator = '\u001e';
const nothing = '\u001d';

/** JSON texts as one delimited text: an escaped `text[]` costs the server three times as much. */
export const bodies = (texts: readonly (string | null)[]): string =>
  texts.map((text) => text ?? nothing).join(bodySeparator);

/** The SQL that takes `bodies` apart again. */
export const bodiesColumn = (parameter: string): string =>
  `string_to_array(${parameter}::text, E'\\x1e', E'\\x1d')`;

/** One statement of a flush: a fixed text for each table and kind, so that it is prepared once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  /** Gets its rows, once its transaction has committed. */
  readonly answered?: (rows: readonly object[]) => void;
}
