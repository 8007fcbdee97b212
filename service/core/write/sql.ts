/**
 * New rows travel by COPY, which writes those of a page as one record of the log. All else takes
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

const copyEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};
const needsCopyEscape = /[\\\t\n\r]/g;

function copied(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(needsCopyEscape, (found) => copyEscapes[found] ?? found);
}

/** One statement of a flush: a fixed text for each table and kind, so that it is prepared once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  /** The rows of a COPY, in its text format. */
  readonly copies?: string;
  /** Gets its rows, once its transaction has committed. */
  readonly answered?: (rows: readonly object[]) => void;
}

/** New rows of a table. @param rows a cell for each column */
export const copyInto = (
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Statement => ({
  // A table is written whole, or with the columns that have no default.
  name: `copy ${table} ${columns.length}`,
  text: `copy ${table} (${columns.join(', ')}) from stdin`,
  values: [],
  copies: rows.map((row) => `${row.map(copied).join('\t')}\n`).join(''),
});
