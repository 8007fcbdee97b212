/** Text that another person reads (rules/errors#45): names, descriptions, references, notes. */

/** A fault of a text, as `details.reason` of its refusal. */
export type ReadableFault = 'format' | 'bidirectional_control' | 'nothing_visible';

/** Characters that PostgreSQL cannot store. */
const unstorable = /[\0\p{Surrogate}]/u;
/** Makes what stands beside it be read in another order than it is written. */
const bidirectional = /\p{Bidi_Control}/u;
/** Hangul fillers are letters that show nothing. */
const visible = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u;

/** The first fault of a text that another person reads; null: none. */
export function readableFault(text: string): ReadableFault | null {
  if (unstorable.test(text)) return 'format';
  if (bidirectional.test(text)) return 'bidirectional_control';
  return visible.test(text) ? null : 'nothing_visible';
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts a text to at most `maximum` code points, between characters as people see them. */
export function cutBetweenCharacters(text: string, maximum: number): string {
  let length = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    length += [...segment].length;
    if (length > maximum) return text.slice(0, index);
  }
  return text;
}

/** The first letter or digit, with the marks on it: `T` of `’t Hooft`. */
export function initialOf(name: string): string | null {
  for (const { segment } of graphemes.segment(name))
    if (visible.test(segment)) return segment.toUpperCase();
  return null;
}

/**
 * A text of somebody else's system as it may be shown: in composed form and of limited length.
 * @returns null where nobody could read it, or not in the order in which it is written
 */
export function readableOf(text: string, maximum: number): string | null {
  const composed = text.normalize('NFC').trim();
  return readableFault(composed) === null ? cutBetweenCharacters(composed, maximum) : null;
}
