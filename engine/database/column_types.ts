import pg from 'pg';

type Parser = (text: string) => unknown;

/** `text[]`: its parser splits the text of any array. */
const TEXT_ARRAY: number = 1009;

/** An int8 as a Number; one beyond safe integers is refused (rules/engine#19). */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is not a safe integer`);
  return value;
}

/** `sum(bigint)` is numeric; it becomes a Number when no digit is lost. */
function parseNumeric(text: string): number {
  const value = Number(text);
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!exact || String(value) !== plain) {
    throw new RangeError(`numeric ${text} does not fit a Number exactly`);
  }
  return value;
}

/** A date stays `YYYY-MM-DD`: a Date object would move it by the machine's time zone. */
function parseDate(text: string): string {
  if (text.length !== 10) throw new RangeError(`date ${text} is outside the years 1 to 9999`);
  return text;
}

/**
 * `2026-11-20 12:00:00.12+00` becomes `2026-11-20T12:00:00.120Z`, milliseconds always three digits,
 * finer ones cut off. It edits the text, since a Date for each cell costs several times as much.
 */
function parseTimestamptz(text: string): string {
  if (text[10] !== ' ' || !text.endsWith('+00')) {
    throw new RangeError(`timestamptz ${text} is outside the years 1 to 9999 or not in UTC`);
  }
  const millis = text[19] === '.' ? text.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`;
}

function arrayOf(parse: Parser): Parser {
  const split: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY, 'text');
  return (text) => split(text).map((item) => (item === null ? null : parse(item)));
}

/** By PostgreSQL's fixed type numbers (`pg_type.oid`); other types have pg's own parser. */
const parsers: Record<number, Parser> = {
  20: parseInt8,
  1016: arrayOf(parseInt8),
  1082: parseDate,
  1182: arrayOf(parseDate),
  1184: parseTimestamptz,
  1185: arrayOf(parseTimestamptz),
  1700: parseNumeric,
  1231: arrayOf(parseNumeric),
};

/**
 * The `types` of one connection, so that nothing is changed for other users of pg in this process.
 * Needs the session settings of `pool.ts` (UTC, DateStyle ISO).
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = format === 'binary' ? undefined : parsers[oid];
    return own ?? pg.types.getTypeParser(oid, format ?? 'text');
  },
};
