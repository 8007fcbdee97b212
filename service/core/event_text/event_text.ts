import { words } from './words.ts';

/**
 * The text of an event as it is stored. Three quarters of it are the names of fields and words that repeat,
 * and of the rest one half stands in columns of its row: a packed text has a code for each. It unpacks to the
 * very same bytes.
 *
 * Codes are control characters, which JSON text holds only escaped: so a text that is not packed unpacks to
 * itself, and none can be mistaken. U+001D and U+001E stand between texts on their way (`write/sql.ts`).
 */
declare const isPacked: unique symbol;
export type Packed = string & { readonly [isPacked]: true };

/** What an event's row says besides its text. */
interface EventFacts {
  readonly id: string;
  readonly created_at: string;
  readonly object_id: string;
}

const idCode = '\u0001';
const timeCode = '\u001f';
const objectCode = '\u0019';
const firstSingle = 0x02;
const singles = 23;
const prefixes = '\u001a\u001b\u001c';
const firstSecond = 0x21;
const seconds = 94;

/** The code of the word at this place: one character, or one of three prefixes and a printable one. */
function codeAt(index: number): string {
  if (index < singles) return String.fromCharCode(firstSingle + index);
  const at = index - singles;
  const prefix = prefixes[Math.floor(at / seconds)];
  if (prefix === undefined) throw new Error('there are more words than codes');
  return prefix + String.fromCharCode(firstSecond + (at % seconds));
}

const codes = new Map(words.map((word, index) => [word, codeAt(index)]));
const known = new Map(words.map((word, index) => [codeAt(index), word]));

/** As public ids show it. */
const digitsOf = (uuid: string): string => uuid.replaceAll('-', '');

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** The longest word that begins at a place. */
const anyWord = new RegExp(
  words
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join('|'),
  'g',
);

/** The words come last: the end of a word's code may look like the beginning of an id. @param text JSON text */
export const packEvent = (text: string, { id, created_at, object_id }: EventFacts): Packed =>
  text
    .replace(digitsOf(id), idCode)
    .replace(digitsOf(object_id), objectCode)
    .replaceAll(created_at, timeCode)
    .replace(anyWord, (word) => codes.get(word) ?? word) as Packed;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the codes
const anyCode = /[\u0001-\u0019\u001f]|[\u001a-\u001c][\u0021-\u007e]/g;

/** An event's row, as far as its text is made from it. */
export interface StoredText extends EventFacts {
  readonly body: Packed;
}

/** The text that was packed, or that was stored before texts were: what is signed and sent. */
export const unpackEvent = ({ id, created_at, object_id, body }: StoredText): string =>
  body.replace(anyCode, (code) => {
    if (code === idCode) return digitsOf(id);
    if (code === timeCode) return created_at;
    return code === objectCode ? digitsOf(object_id) : (known.get(code) ?? code);
  });
