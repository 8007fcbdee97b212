/** The room that text takes in drawings, and its lines. */

export const nameSize = 13;
export const labelSize = 12;
export const lineHeight = 16;

/** Parts of the font size, a little more than Inter and its stand-in take. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[ijlI|'.,:;! ]/, 0.29],
  [/[frt()[\]/"-]/, 0.42],
  [/[mwMW@%&→]/, 0.97],
  [/[A-Z]/, 0.74],
];
const anyLetter = 0.62;
/** The weight of names. */
const boldFactor = 1.06;

const letterWidth = (letter: string): number =>
  widths.find(([letters]) => letters.test(letter))?.[1] ?? anyLetter;

/** The width of a text in a label. */
export const labelWidth = (text: string): number =>
  Math.ceil([...text].reduce((sum, letter) => sum + letterWidth(letter), 0) * labelSize);

/** The width of a text as the name of a box. */
export const nameWidth = (text: string): number =>
  Math.ceil((labelWidth(text) / labelSize) * nameSize * boldFactor);

/** Places where a word that is too long may be broken: behind its signs, such as `/v1/` or `payment_`. */
const partsOf = (word: string): string[] => word.match(/[^/_.,-]*[/_.,-]+|[^/_.,-]+/g) ?? [word];

/** Words of a text in lines that are no wider than `most`, unless one word is. */
export function linesWithin(text: string, most: number, measure = labelWidth): string[] {
  const lines: string[] = [''];
  const add = (part: string, space: string): void => {
    const last = lines.at(-1) ?? '';
    const longer = `${last}${last === '' ? '' : space}${part}`;
    if (last === '' || measure(longer) <= most) lines[lines.length - 1] = longer;
    else lines.push(part);
  };
  for (const word of text.split(' ')) {
    if (measure(word) <= most) add(word, ' ');
    else for (const [at, part] of partsOf(word).entries()) add(part, at === 0 ? ' ' : '');
  }
  return lines;
}
