import type PDFDocument from 'pdfkit';
import { regular, standard } from '../words.ts';
import { bytesOf, type FontFile, filesFor, wide } from './font_files.ts';
import { inVisualOrder, type Run } from './visual_order.ts';

type Document = InstanceType<typeof PDFDocument>;

/** How much of its size the letters of the standard font stand above the line. */
const ascent = 0.718;

/** A text in one font and direction. */
interface Piece extends Run {
  readonly file: FontFile;
}

/** pdfkit's types do not show what is set. */
interface Inside {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
  readonly _fontSize: number;
}

/** Whether a font has a letter. */
type Has = (letter: string) => boolean;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Writes texts whose letters the standard fonts of PDF lack. */
export interface Lettering {
  /** In points, at the document's size. */
  widthOf(text: string): number;
  /** Draws it where the document would; the standard font is set again. */
  draw(text: string, x: number, y: number): void;
}

/** A run in fonts that have its letters, from left to right. A mark stays with its letter. */
function piecesOf({ text, isRightToLeft }: Run, fonts: ReadonlyMap<FontFile, Has>): Piece[] {
  const pieces: Piece[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const [letter = ''] = segment;
    const file = [...fonts].find(([, has]) => has(letter))?.[0];
    const shown = file === undefined ? '?' : segment;
    const piece = pieces.at(-1);
    if (piece?.file === (file ?? wide))
      pieces[pieces.length - 1] = { ...piece, text: piece.text + shown };
    else pieces.push({ text: shown, file: file ?? wide, isRightToLeft });
  }
  return isRightToLeft ? pieces.reverse() : pieces;
}

/** Without a list of features pdfkit shapes each word by itself, and puts them from left to right. */
const optionsOf = ({ isRightToLeft }: Run): PDFKit.Mixins.TextOptions => ({
  lineBreak: false,
  ...(isRightToLeft && { features: [] }),
});

function letteringIn(document: Document, fonts: ReadonlyMap<FontFile, Has>): Lettering {
  const inside = document as unknown as Inside;
  let last: { readonly text: string; readonly pieces: readonly Piece[] } = { text: '', pieces: [] };

  /** A text is measured before it is drawn. */
  function piecesIn(text: string): readonly Piece[] {
    if (text !== last.text)
      last = { text, pieces: inVisualOrder(text).flatMap((run) => piecesOf(run, fonts)) };
    return last.pieces;
  }

  /** Does something with each piece from left to right, in its font. @returns the width of all */
  function each(text: string, act: (piece: Piece, x: number, size: number) => void): number {
    const size = inside._fontSize;
    let x = 0;
    for (const piece of piecesIn(text)) {
      document.font(piece.file.name).fontSize(size * piece.file.scale);
      act(piece, x, size);
      x += document.widthOfString(piece.text, optionsOf(piece));
    }
    document.font(regular).fontSize(size);
    return x;
  }

  const widthOf = (text: string): number => each(text, () => {});

  function draw(text: string, left: number, y: number): void {
    each(text, (piece, x, size) => {
      const { file } = piece;
      const line = y + ascent * size;
      const strokes = file.stroke > 0 ? { fill: true, stroke: true } : {};
      if (file.stroke > 0) document.lineWidth(file.stroke * size);
      document.text(piece.text, left + x, line, {
        ...optionsOf(piece),
        ...strokes,
        baseline: 'alphabetic',
      });
    });
  }

  return { widthOf, draw };
}

/** Loads the fonts that texts need, into a document. @returns null: the standard fonts have all letters */
export async function openLettering(
  document: Document,
  texts: readonly string[],
): Promise<Lettering | null> {
  const special = new Set(texts.filter((text) => !standard.test(text)).join(''));
  if (special.size === 0) return null;
  const fonts = new Map<FontFile, Has>();
  for (const file of await filesFor(special)) {
    document.registerFont(file.name, await bytesOf(file));
    document.font(file.name);
    const { font } = (document as unknown as Inside)._font;
    fonts.set(file, (letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
  }
  return letteringIn(document, fonts);
}
