/**
 * Values that clients send by mistake or on purpose. Every field of every operation is given each of
 * them; what the field's schema allows must be taken as it is, all else refused by name.
 */
export interface HostileValue {
  readonly name: string;
  /** The value as the body holds it; not always JSON. */
  readonly json: string;
  /** No field takes it, whatever its schema says (NUL, lone surrogates, empty text). */
  readonly never?: true;
}

const raw = (json: string): HostileValue => ({ name: json, json });
const never = (json: string): HostileValue => ({ name: json, json, never: true });
const text = (value: string, name?: string): HostileValue => {
  const json = JSON.stringify(value);
  return { name: name ?? json, json };
};

const numbers = ['0', '-0', '1', '-1', '1.0', '1e3', '1.5', '1e-7', '2147483648', '1e308'];
const largeNumbers = ['9007199254740991', '9007199254740993', '9223372036854775808'];
const noJson = ['NaN', 'Infinity', '01', 'undefined'];
const others = ['null', 'true', 'false', '[]', '["a"]', '{}'];
const objects = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"$ne":null}',
];

const numbersAsText = ['1', '1.0', '1e3', '-1', 'NaN', 'null'];
const spaces = [' ', '  a  ', '\t\n\r'];
/** Among them the separators that the service uses in its own texts. */
const controls = ['a\u001d', '\u001e', 'a\u001fb', '\u007f'];
const scripts = ['\u{1f600}', 'e\u0301', '\u202eabc\u202c', '\u200b', '\u2028', '\u{10ffff}'];
const injections = [
  '<script>alert(1)</script>',
  "' OR '1'='1",
  "'; drop table payments; --",
  '"quoted"',
  'back\\slash',
  '{a,b}',
  'NULL',
  '%00',
  '$' + '{7*7}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
];
const dates = [
  '2026-01-01',
  '2026-02-30T00:00:00Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01T00:00:00',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '+010000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+25:00',
];

export const hostileValues: readonly HostileValue[] = [
  ...[...others, ...objects, ...numbers, ...largeNumbers].map(raw),
  ...['1e400', '-1e400', ...noJson, '""', '"\\u0000"', '"a\\u0000b"'].map(never),
  ...['"\\ud800"', '"a\\udfffb"', '"\\ude00\\ud83d"'].map(never),
  ...[...numbersAsText, ...spaces, ...controls, ...scripts, ...injections, ...dates].map((value) =>
    text(value),
  ),
  text('x'.repeat(10_240), '10 kB of x'),
  text('\u{1f600}'.repeat(2_560), '10 kB of 4-byte characters'),
  { name: '5,000 arrays deep', json: `${'['.repeat(5_000)}${']'.repeat(5_000)}` },
];
