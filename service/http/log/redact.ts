import {
  personalFields,
  secretFields,
  secretFieldsOfPages,
} from '@tenant-payments/contract/catalog.ts';
import { LRUCache } from 'lru-cache';

/** In place of a secret or a personal value. */
export const redactedMark = '[redacted]';
/** The longest body, text in a body, and path that are kept, in characters. */
const longestBody = 16_384;
const longestText = 2_048;
const longestPath = 2_048;
/** Longer than every secret of ours: this much is dropped at the end of the part that was searched. */
const margin = 512;
/** Deeper JSON than any body of the contract is not kept. */
const deepest = 16;

/**
 * Secrets and personal data by their shape, in case they are in another field, a path or a message.
 * Parts of any length can match at their beginning only, so that no text takes more than linear time.
 */
const shapes = [
  // Our secrets hold at least 32 random bytes, so they are longer than any id.
  /(?:tok|st|rt|cs|ok|tpk|whsec)_[\w-]{40,}|rt_test_\w+/,
  // Other systems' secrets of the same form.
  /(?<![\w-])[a-z][a-z-]{0,15}_[\w-]{40,}/,
  // The aggregator's tokens.
  /(?:public|link|access)-(?:sandbox|development|production)-[\w-]+/,
  // Mail addresses, and telephone numbers in E.164 with any grouping.
  /(?<![^\s@<>,;:()"'=/])[^\s@<>,;:()"'=/]+@[^\s@<>,;:()"'=/]+/,
  /\+\d[\d ().-]{6,18}\d/,
];
const shape = new RegExp(shapes.map(({ source }) => source).join('|'), 'g');

/** Most texts are shorter than any secret or telephone number, so they are not searched. */
const withoutShapes = (text: string): string =>
  text.length < 9 && !text.includes('@') ? text : text.replace(shape, redactedMark);

/** `clientSecret` and `Client-Secret` are the same name. */
const plain = (name: string): string => name.replaceAll(/[-_ ]/g, '').toLowerCase();

const secretNames = new Set(
  [...secretFields, ...secretFieldsOfPages, 'authorization', 'idempotency_key'].map(plain),
);
const hiddenNames = new Set([...secretNames, ...personalFields.map(plain)]);

/** A text without secrets, mail addresses and telephone numbers, cut to the longest kept. */
export function redactedText(text: string): string {
  if (text.length <= longestText) return withoutShapes(text);
  // A secret that was cut in the middle is not found, so the margin is dropped too.
  return `${withoutShapes(text.slice(0, longestText + margin)).slice(0, -margin)}…`;
}

interface FieldName {
  readonly isHidden: boolean;
  /** The name as JSON. */
  readonly text: string;
}

const maximumNames = 1_000;
const longestName = 64;
const knownNames = new LRUCache<string, FieldName>({ max: maximumNames });

/** The same few names come again and again; names that a caller invents are bounded. */
function fieldName(name: string): FieldName {
  const known = knownNames.get(name);
  if (known) return known;
  const text = JSON.stringify(redactedText(name));
  const made = { isHidden: hiddenNames.has(plain(name)), text };
  if (name.length > longestName) return made;
  knownNames.set(name, made);
  return made;
}

/**
 * A JSON value as text, without the values of secret and personal fields (contract/catalog.ts). It
 * stops at the longest body kept, so a large body costs no more than a small one; a text that was
 * cut is not valid JSON.
 */
export function redactedJson(value: unknown): string {
  const parts: string[] = [];
  let length = 0;
  const put = (text: string) => {
    parts.push(text);
    length += text.length;
  };

  function write(value: unknown, depth: number): void {
    if (typeof value === 'string') put(JSON.stringify(redactedText(value)));
    else if (typeof value !== 'object' || value === null) put(JSON.stringify(value) ?? 'null');
    else if (depth === deepest) put('"[nested too deeply]"');
    else if (Array.isArray(value)) list(value, depth);
    else record(value, depth);
  }

  function list(values: readonly unknown[], depth: number): void {
    let mark = '[';
    for (const value of values) {
      put(mark);
      if (length > longestBody) return;
      write(value, depth + 1);
      mark = ',';
    }
    put(mark === '[' ? '[]' : ']');
  }

  function record(values: object, depth: number): void {
    let mark = '{';
    for (const [name, value] of Object.entries(values)) {
      const { isHidden, text } = fieldName(name);
      put(`${mark}${text}:`);
      if (length > longestBody) return;
      if (value !== null && isHidden) put(`"${redactedMark}"`);
      else write(value, depth + 1);
      mark = ',';
    }
    put(mark === '{' ? '{}' : '}');
  }

  write(value, 0);
  return parts.join('').slice(0, longestBody);
}

/** Without what PostgreSQL's JSON cannot hold: U+0000 and lone surrogates. */
const storable = (text: string): string => Buffer.from(text).toString().replaceAll('\0', '');

/**
 * A JSON value without the values of secret fields, and of personal ones unless it says nothing of a
 * person. Nothing is cut, for what is kept whole.
 */
export function redactedValue<T>(value: T, isPersonal: boolean): T {
  const names = isPersonal ? hiddenNames : secretNames;
  const shown = (value: unknown, name = ''): unknown => {
    if (value === null || value === undefined) return null;
    if (names.has(plain(name))) return redactedMark;
    if (typeof value === 'string') return storable(withoutShapes(value));
    if (Array.isArray(value)) return value.map((item) => shown(item));
    if (typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([inner, held]) => [storable(inner), shown(held, inner)]),
    );
  };
  return shown(value) as T;
}

/** The decoded text; one that cannot be decoded is returned as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A part is hidden as a whole when its decoded text contains something to hide. */
function redactedPart(part: string): string {
  const plainPart = decoded(part);
  const isClean = redactedText(plainPart) === plainPart && redactedText(part) === part;
  return isClean ? part : redactedMark;
}

/** A request's path and query, without the values of hidden fields and without secrets. */
export function redactedTarget(target: string): string {
  const [path = '', ...rest] = target.slice(0, 4 * longestPath).split('?');
  const query = rest.join('?');
  const steps = path.split('/').map(redactedPart).join('/');
  if (query === '') return steps.slice(0, longestPath);
  const pairs = query.split('&').map((pair) => {
    const [name = '', ...values] = pair.split('=');
    const shown = redactedPart(name);
    if (values.length === 0) return shown;
    const { isHidden } = fieldName(decoded(name));
    return `${shown}=${isHidden ? redactedMark : redactedPart(values.join('='))}`;
  });
  return `${steps}?${pairs.join('&')}`.slice(0, longestPath);
}
