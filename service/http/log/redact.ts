import { personalFields, secretFields } from '@tenant-payments/contract/catalog.ts';

const hidden = '[redacted]';
/** Characters that are kept of a body, of one text in it, and of a path. */
const longestBody = 16_384;
const longestText = 2_048;
const longestPath = 2_048;
/** No secret of ours is as long as this: a text is cut so far before the end of what was looked at. */
const margin = 512;
/** JSON may be nested by the ten thousand; ours is not. */
const deepest = 16;

/**
 * The second wall, for what stands where it should not: in another field, a path, a message. What
 * may be long is entered at its beginning alone, so that no text takes more than linear time.
 */
const shapes = [
  // Secrets of ours hold at least 32 random bytes, so they are longer than any id.
  /(?:tok|st|rt|cs|ok|whsec)_[\w-]{40,}|rt_test_\w+/,
  // And of whoever makes them in the same way.
  /(?<![\w-])[a-z][a-z-]{0,15}_[\w-]{40,}/,
  // The aggregator's.
  /(?:public|link|access)-(?:sandbox|development|production)-[\w-]+/,
  // Addresses, and numbers in E.164 however they are grouped.
  /(?<![^\s@<>,;:()"'=/])[^\s@<>,;:()"'=/]+@[^\s@<>,;:()"'=/]+/,
  /\+\d[\d ().-]{6,18}\d/,
];
const shape = new RegExp(shapes.map(({ source }) => source).join('|'), 'g');

/** Most texts are shorter than any secret or number. */
const withoutShapes = (text: string): string =>
  text.length < 9 && !text.includes('@') ? text : text.replace(shape, hidden);

/** `clientSecret`, `Client-Secret`: a name that is written otherwise is not another name. */
const plain = (name: string): string => name.replaceAll(/[-_ ]/g, '').toLowerCase();

const hiddenNames = new Set(
  [...secretFields, ...personalFields, 'authorization', 'idempotency_key'].map(plain),
);

/** A text without what looks like a secret, an address or a number, cut to its bound. */
export function redactedText(text: string): string {
  if (text.length <= longestText) return withoutShapes(text);
  // What was cut in the middle of a secret is not known as one any more, so the margin goes too.
  return `${withoutShapes(text.slice(0, longestText + margin)).slice(0, -margin)}…`;
}

interface FieldName {
  readonly isHidden: boolean;
  /** As JSON. */
  readonly text: string;
}

const maximumNames = 1_000;
const longestName = 64;
const knownNames = new Map<string, FieldName>();

/** The same few names come again and again; what a caller makes up is bounded. */
function fieldName(name: string): FieldName {
  const known = knownNames.get(name);
  if (known) return known;
  const text = JSON.stringify(redactedText(name));
  const made = { isHidden: hiddenNames.has(plain(name)), text };
  if (name.length > longestName) return made;
  if (knownNames.size >= maximumNames) knownNames.clear();
  knownNames.set(name, made);
  return made;
}

/**
 * A JSON value as text, without the values of secret and personal fields (contract/catalog.ts). It
 * stops at its bound, so a large body costs no more than a small one; what is cut is no JSON.
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
      if (value !== null && isHidden) put(`"${hidden}"`);
      else write(value, depth + 1);
      mark = ',';
    }
    put(mark === '{' ? '{}' : '}');
  }

  write(value, 0);
  return parts.join('').slice(0, longestBody);
}

/** As it is meant; percent signs that mean nothing are left as they are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Escapes hide nothing: a part goes as a whole when its meaning holds something that must. */
function redactedPart(part: string): string {
  const meaning = decoded(part);
  const isClean = redactedText(meaning) === meaning && redactedText(part) === part;
  return isClean ? part : hidden;
}

/** A request's target: path and query, without the values of hidden fields and without shapes. */
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
    return `${shown}=${isHidden ? hidden : redactedPart(values.join('='))}`;
  });
  return `${steps}?${pairs.join('&')}`.slice(0, longestPath);
}
