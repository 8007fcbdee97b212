/** Control characters could steer a terminal: records hold texts of strangers. */
const unprintable = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isTexts(value)) return value.join(', ') || '-';
  return JSON.stringify(value) ?? '';
}

/** A value as one line of words. */
export function plain(value: unknown): string {
  const text = wordsOf(value);
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

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isFields);
const hasParts = (value: unknown): boolean => isRows(value) || isFields(value);

/** A table where all have the same fields; else what each has, a line each. */
function rowLines(rows: readonly Fields[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const isTable = rows.every((row) => Object.keys(row).join() === names.join());
  const cells = (row: Fields) => Object.values(row).map((value) => plain(value ?? '-'));
  if (isTable) return columns([names.map((name) => name.toUpperCase()), ...rows.map(cells)]);
  return rows.map((row) =>
    cells(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))).join('  '),
  );
}

/** A record in full: its plain fields, then what it is made of, a paragraph each. */
export function detailLines(record: Fields): string[] {
  const entries = Object.entries(record);
  const parts = entries.flatMap(([name, value]) => {
    if (!hasParts(value)) return [];
    const lines = isRows(value) ? rowLines(value) : fieldLines(value as Fields);
    return ['', `${name}:`, ...lines.map((line) => `  ${line}`)];
  });
  const simple = entries.filter(([, value]) => !hasParts(value));
  return [...fieldLines(Object.fromEntries(simple)), ...parts];
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
  'record',
  'method',
  'path',
  'status',
  'code',
  'external_ref',
  'date',
  'amount',
  'delivery',
  'refused_in_production',
  'at',
  'created_at',
];

/** An event tells its record and its delivery, which stand deeper in it; of a call its refusal there, where it has one. */
function flat(row: Fields): Fields {
  if (row.refused_in_production === null) return { ...row, refused_in_production: undefined };
  const { object, data, delivery } = row;
  if (object !== 'event' || !isFields(data) || !isFields(delivery)) return row;
  const { attempts, status } = delivery;
  const record = isFields(data.object) ? data.object.id : null;
  return {
    ...row,
    record,
    delivery: `${status}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
  };
}

/** A table of records with its head; one line where there are none. */
export function recordLines(
  records: readonly Fields[],
  shows: readonly string[] = telling,
): string[] {
  const rows = records.map(flat);
  const names = shows.filter((name) => rows.some((row) => row[name] !== undefined));
  if (rows.length === 0) return ['Nothing was found.'];
  const cell = (value: unknown) => (value === null || value === undefined ? '-' : plain(value));
  return columns([
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => cell(row[name]))),
  ]);
}
