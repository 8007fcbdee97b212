import { withLatinDigits } from './latin_digits.ts';

/** Numbers that are written in groups of digits: `123-45-6789` has the groups 3, 2 and 4. */
export type Groups = readonly number[];

/** The digits of a value, up to the maximum: pasted blanks and dashes are dropped. */
export const digitsOf = (value: string, most: number): string =>
  withLatinDigits(value).replace(/\D/g, '').slice(0, most);

const lengthOf = (groups: Groups): number => groups.reduce((sum, size) => sum + size, 0);

/** Digits with a dash between groups, as far as there are digits: `1234` is `123-4`. */
export function grouped(digits: string, groups: Groups): string {
  const parts: string[] = [];
  let at = 0;
  for (const size of groups) {
    if (at < digits.length) parts.push(digits.slice(at, at + size));
    at += size;
  }
  return parts.join('-');
}

/** The place behind so many digits. */
function placeBehind(shown: string, count: number): number {
  let place = 0;
  for (let left = count; left > 0 && place < shown.length; place += 1)
    if (shown[place] !== '-') left -= 1;
  return place;
}

interface Change {
  /** The field's text after a key or a paste. */
  readonly text: string;
  readonly caret: number;
  /** The kind of the browser's input event: `deleteContentBackward`. */
  readonly kind: string;
  /** The digits before the change. */
  readonly before: string;
}

/**
 * The digits after a change, and the caret, which stays behind the same digit. A dash that was deleted
 * takes the digit beside it along: else the key would do nothing.
 */
export function regrouped({ text, caret, kind, before }: Change, groups: Groups) {
  let digits = digitsOf(text, lengthOf(groups));
  let behind = digitsOf(text.slice(0, caret), digits.length).length;
  if (digits === before && text.length < grouped(before, groups).length) {
    if (kind === 'deleteContentBackward') behind -= 1;
    if (kind.startsWith('delete')) digits = digits.slice(0, behind) + digits.slice(behind + 1);
  }
  const shown = grouped(digits, groups);
  return { digits, shown, caret: placeBehind(shown, behind) };
}
