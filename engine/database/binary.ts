/**
 * Values in PostgreSQL's binary formats, which it reads without parsing
 * (https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-BINARY-FORMAT). What does not fit its
 * type is refused here: the server would take the bytes for another value.
 */

/** The place of each byte's digits in the text of a uuid. */
const uuidDigits = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const uuidLength = 36;
const noDigit = 0xff;
/** The value of a hexadecimal digit, by its character's code. */
const digitValues = new Uint8Array(0x80).fill(noDigit);
for (const [value, digit] of [...'0123456789abcdef'].entries())
  digitValues[digit.charCodeAt(0)] = value;

/** From the Unix epoch to PostgreSQL's, 2000-01-01. */
const epochMs = 946_684_800_000;
const dayMs = 86_400_000;

/** Bytes one after the other, in a buffer that grows. */
class Bytes {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** @returns where the next bytes go */
  #reserve(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const wider = Buffer.allocUnsafe(this.#length * 2);
      this.#bytes.copy(wider, 0, 0, at);
      this.#bytes = wider;
    }
    return at;
  }

  bytes(bytes: Buffer): void {
    const at = this.#reserve(bytes.length);
    bytes.copy(this.#bytes, at);
  }

  int8(value: number): void {
    const at = this.#reserve(1);
    this.#bytes.writeInt8(value, at);
  }

  int16(value: number): void {
    const at = this.#reserve(2);
    this.#bytes.writeInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.#reserve(4);
    this.#bytes.writeInt32BE(value, at);
  }

  int64(value: number | bigint): void {
    const at = this.#reserve(8);
    if (typeof value === 'bigint') {
      this.#bytes.writeBigInt64BE(value, at);
      return;
    }
    this.#bytes.writeInt32BE(Math.floor(value / 2 ** 32), at);
    this.#bytes.writeUInt32BE(value >>> 0, at + 4);
  }

  uuid(text: string): void {
    const at = this.#reserve(uuidDigits.length);
    let seen = 0;
    for (let index = 0; index < uuidDigits.length; index += 1) {
      const digit = uuidDigits[index] ?? 0;
      const high = digitValues[text.charCodeAt(digit)] ?? noDigit;
      const low = digitValues[text.charCodeAt(digit + 1)] ?? noDigit;
      seen |= high | low;
      this.#bytes[at + index] = (high << 4) | low;
    }
    if (seen === noDigit || text.length !== uuidLength) throw refused('uuid', text);
  }

  double(value: number): void {
    const at = this.#reserve(8);
    this.#bytes.writeDoubleBE(value, at);
  }

  /** UTF-8, after its length. */
  text(text: string): void {
    const at = this.#reserve(4 + text.length * 3);
    const length = this.#bytes.write(text, at + 4);
    this.#bytes.writeInt32BE(length, at);
    this.#length = at + 4 + length;
  }

  sized(bytes: Buffer): void {
    this.int32(bytes.length);
    this.bytes(bytes);
  }

  done(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

const refused = (type: string, value: unknown) => new RangeError(`${value} is no ${type}`);

function whole(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw refused('integer', value);
  return value;
}

function finite(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw refused('number', value);
  return value;
}

function file(value: unknown): Buffer {
  if (!Buffer.isBuffer(value)) throw new RangeError('no buffer for a bytea');
  return value;
}

function bit(value: unknown): number {
  if (typeof value !== 'boolean') throw refused('boolean', value);
  return value ? 1 : 0;
}

/** JSON, unless it is a text already. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function milliseconds(instant: unknown): number {
  const ms = Date.parse(String(instant)) - epochMs;
  if (Number.isNaN(ms)) throw refused('instant', instant);
  return ms;
}

/** Beyond the year 2285 they are no safe integer. */
function microseconds(instant: unknown): number | bigint {
  const ms = milliseconds(instant);
  const number = ms * 1000;
  return Number.isSafeInteger(number) ? number : BigInt(ms) * 1000n;
}

/** How values of a type are written: its number (`pg_type.oid`), and each value after its length. */
interface Format {
  readonly oid: number;
  readonly write: (to: Bytes, value: unknown) => void;
}

const sized = (oid: number, size: number, write: Format['write']): Format => ({
  oid,
  write(to, value) {
    to.int32(size);
    write(to, value);
  },
});

const formats: Readonly<Record<string, Format>> = {
  boolean: sized(16, 1, (to, value) => to.int8(bit(value))),
  bytea: { oid: 17, write: (to, value) => to.sized(file(value)) },
  bigint: sized(20, 8, (to, value) => to.int64(whole(value))),
  smallint: sized(21, 2, (to, value) => to.int16(whole(value))),
  integer: sized(23, 4, (to, value) => to.int32(whole(value))),
  text: { oid: 25, write: (to, value) => to.text(textOf(value)) },
  'double precision': sized(701, 8, (to, value) => to.double(finite(value))),
  date: sized(1082, 4, (to, value) => to.int32(whole(milliseconds(value) / dayMs))),
  timestamptz: sized(1184, 8, (to, value) => to.int64(microseconds(value))),
  uuid: sized(2950, 16, (to, value) => to.uuid(String(value))),
  // After the number of its version.
  jsonb: { oid: 3802, write: (to, value) => to.text(`\u0001${textOf(value)}`) },
  // After its length, as one that is a parameter.
  'text[]': {
    oid: 1009,
    write: (to, value) => to.sized(arrayParameter('text', value as string[])),
  },
};

function formatOf(type: string): Format {
  const format = formats[type];
  if (!format) throw new Error(`values of ${type} are not written`);
  return format;
}

/** Enough for most values: beyond, the buffer grows. */
const usualBytes = 24;
const isNull = (value: unknown): boolean => value === null || value === undefined;

function writeCell(to: Bytes, { write }: Format, value: unknown): void {
  if (isNull(value)) to.int32(-1);
  else write(to, value);
}

/**
 * One column of a batch, as a parameter of `type[]`: with `unnest`, half of what JSON costs the server.
 * @throws RangeError when a value does not fit the type
 */
export function arrayParameter(type: string, values: readonly unknown[]): Buffer {
  const format = formatOf(type);
  const to = new Bytes(20 + values.length * usualBytes);
  // One dimension, whether there are nulls, the type, how many, and the first one's number.
  for (const head of [1, values.some(isNull) ? 1 : 0, format.oid, values.length, 1]) to.int32(head);
  for (const value of values) writeCell(to, format, value);
  return to.done();
}

const copyHead = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/**
 * Rows for `copy … from stdin (format binary)`.
 * @param types of the columns. A domain or an enum is written as what it is made of, `text`.
 * @throws RangeError when a value does not fit its type
 */
export function copyRows(types: readonly string[], rows: readonly (readonly unknown[])[]): Buffer {
  const columns = types.map(formatOf);
  const to = new Bytes(copyHead.length + rows.length * columns.length * usualBytes);
  to.bytes(copyHead);
  for (const row of rows) {
    to.int16(columns.length);
    for (const [index, format] of columns.entries()) writeCell(to, format, row[index]);
  }
  to.int16(-1);
  return to.done();
}
