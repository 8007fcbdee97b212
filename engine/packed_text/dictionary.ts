/** A list of words, and texts without them. */
export interface Dictionary {
  /** @param text JSON text */
  pack(text: string): string;
  /** @param others what the free codes stand for */
  unpack(packed: string, others?: Readonly<Record<string, string>>): string;
}

/** Codes that stand for no word: what one means, its user knows. */
export const freeCodes = ['\u0001', '\u0019', '\u001f'] as const;

const firstSingle = 0x02;
const singles = 23;
const prefixes = '\u001a\u001b\u001c';
const firstSecond = 0x21;
const seconds = 94;

/** The code of the word at this place: one character, or one of three prefixes and a printable one. */
export function codeAt(index: number): string {
  if (index < singles) return String.fromCharCode(firstSingle + index);
  const at = index - singles;
  const prefix = prefixes[Math.floor(at / seconds)];
  if (prefix === undefined) throw new Error('there are more words than codes');
  return prefix + String.fromCharCode(firstSecond + (at % seconds));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the codes
const anyCode = /[\u0001-\u0019\u001f]|[\u001a-\u001c][\u0021-\u007e]/g;

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Length and two characters: a table finds them in a third of the time that it takes to hash a long word. */
const shortKey = (word: string) =>
  (word.length << 14) + (word.charCodeAt(3) << 7) + word.charCodeAt(word.length >> 1);

/** The code of each word; those that share a short key are found by the whole word. */
function openCodes(words: readonly string[]): (word: string) => string {
  const whole = new Map(words.map((word, index) => [word, codeAt(index)]));
  const short = new Map<number, string | null>();
  for (const [word, code] of whole) {
    const key = shortKey(word);
    short.set(key, short.has(key) ? null : code);
  }
  return (word) => short.get(shortKey(word)) ?? whole.get(word) ?? word;
}

/**
 * Packs JSON texts that repeat words: each word becomes a code of one or two characters.
 *
 * Codes are control characters, which JSON text holds only escaped: so a text that is not packed unpacks to
 * itself, and none can be mistaken.
 * @param words a word keeps its place for ever, since stored texts hold its code
 */
export function openDictionary(words: readonly string[]): Dictionary {
  const codeOf = openCodes(words);
  const known = new Map(words.map((word, index) => [codeAt(index), word]));
  /** The longest word that begins at a place. */
  const anyWord = new RegExp(
    words
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
      .join('|'),
    'g',
  );
  return {
    pack: (text) => text.replace(anyWord, codeOf),
    unpack: (packed, others = {}) =>
      packed.replace(anyCode, (code) => known.get(code) ?? others[code] ?? code),
  };
}
