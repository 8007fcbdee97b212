/** A drawing as plain shapes: the portal makes elements of them, the site a text (rules/docs-site#7). */

export interface Shape {
  readonly tag: 'rect' | 'circle' | 'path' | 'polygon' | 'text';
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly text?: string;
}

/** A box, an arrow with its label, or a line behind them. */
export interface Part {
  readonly kind: 'box' | 'arrow' | 'lifeline' | 'note';
  /** The look of a box: where all begins, where all ends, what the drawing is about. */
  readonly look?: 'start' | 'end' | 'main';
  /** The box, or the one that the arrow begins at. */
  readonly from: string;
  /** The box that an arrow leads to. */
  readonly to?: string;
  readonly shapes: readonly Shape[];
}

/** One line of a drawing in words: what it is about, and what is said of it. */
export interface Told {
  readonly key: string;
  readonly head: string;
  readonly lines: readonly string[];
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly parts: readonly Part[];
  readonly told: readonly Told[];
}

/** The smallest part of its size at which a label of 12 pixels has 11. */
const smallest = 11 / 12;
/** The least widths in pixels that drawings can need, as `drawing.css` has them. */
const widths = [280, 320, 360, 400, 440, 500, 580, 660] as const;

/**
 * The class by which `drawing.css` shows the words in place of a drawing where its text would be too small to read.
 */
export const fitClass = ({ width }: Pick<Drawing, 'width'>): string =>
  `needs-${widths.find((one) => one >= width * smallest) ?? widths.at(-1)}`;

/** The classes of a part, as `drawing.css` knows them. */
export const classOf = ({ kind, look }: Part): string =>
  `drawing-${kind}${look ? ` is-${look}` : ''}`;

export const arrowHead = 7;

/** The head of an arrow that points at a place. */
export function headOf(
  { x, y }: { x: number; y: number },
  way: 'down' | 'up' | 'left' | 'right',
): Shape {
  const [back, side] = [8, 4.5];
  const points = {
    down: [x - side, y - back, x + side, y - back],
    up: [x - side, y + back, x + side, y + back],
    right: [x - back, y - side, x - back, y + side],
    left: [x + back, y - side, x + back, y + side],
  }[way];
  return { tag: 'polygon', attributes: { points: [x, y, ...points].join(' ') } };
}

/** Lines of text around a middle. @param top the upper edge of the first line */
export const linesAt = (
  lines: readonly string[],
  { x, top, height }: { x: number; top: number; height: number },
): Shape[] =>
  lines.map((text, at) => ({
    tag: 'text',
    attributes: { x, y: top + at * height + height * 0.74 },
    text,
  }));
