/** The begin of a text that spreadsheets take for a formula: it gets an apostrophe before it. */
const formula = /^[=+\-@\t\r]/;
const needsQuotes = /[",\n\r]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of a CSV file (RFC 4180), with the line's end. Numbers stay as they are. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;
