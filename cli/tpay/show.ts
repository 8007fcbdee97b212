/** Control characters could steer a terminal: records hold texts of strangers. */
const unprintable = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** A value as one line of words. */
export function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replace(
    unprintable,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `name  value`, the names in one column. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): string[] {
  const width = Math.max(0, ...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields).map(
    ([name, value]) => `${name.padEnd(width)}  ${value === null ? '-' : plain(value)}`,
  );
}

/** Cells in columns. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The fields that say most of a record, where it has them. */
const telling = [
  'id',
  'resource',
  'type',
  'title',
  'status',
  'external_ref',
  'date',
  'amount',
  'created_at',
];

/** A table of records with its head; one line where there are none. */
export function recordLines(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = telling.filter((name) => rows.some((row) => row[name] !== undefined));
  if (rows.length === 0) return ['Nothing was found.'];
  const cell = (value: unknown) => (value === null || value === undefined ? '-' : plain(value));
  return columns([
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => cell(row[name]))),
  ]);
}
