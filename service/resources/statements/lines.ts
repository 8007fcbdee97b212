const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** In points. */
type WidthOf = (text: string) => number;

/** The pieces of a word that is wider than a line, each as long as the width allows. A mark stays with its letter. */
function piecesOf(widthOf: WidthOf, word: string, width: number): string[] {
  const letters = [...graphemes.segment(word)].map(({ segment }) => segment);
  const pieces: string[] = [];
  for (let from = 0; from < letters.length; ) {
    const beginning = (length: number) => letters.slice(from, from + length).join('');
    let [fits, tooMany] = [1, letters.length - from + 1];
    while (tooMany - fits > 1) {
      const middle = Math.floor((fits + tooMany) / 2);
      if (widthOf(beginning(middle)) > width) tooMany = middle;
      else fits = middle;
    }
    pieces.push(beginning(fits));
    from += fits;
  }
  return pieces;
}

/** The text in lines of at most this width, broken at spaces, and within a word that is wider than a line. */
export function linesOf(widthOf: WidthOf, text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  const words = text
    .split(' ')
    .flatMap((word) => (widthOf(word) > width ? piecesOf(widthOf, word, width) : [word]));
  for (const word of words) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && widthOf(longer) > width) lines.push(word);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}
