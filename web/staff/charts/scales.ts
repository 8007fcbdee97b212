import { scaleBand, scaleLinear } from 'd3-scale';

/** The figures of a drawing and its frame: columns from left to right, figures from the base up to a round one. */
interface Asked {
  readonly columns: readonly string[];
  readonly sums: readonly number[];
  /** The scale ends above this, whatever the figures are. */
  readonly least: number;
  readonly isWhole: boolean;
  readonly top: number;
  readonly base: number;
  readonly width: number;
  /** The room that the names of these marks take at the left. */
  readonly roomFor: (marks: readonly number[]) => number;
}

/** The most pixels of a column: a single day is no wall. */
const widestColumn = 64;

/** About so many lines. */
const lines = 4;

/** Figures and columns as places of a drawing. It imports no page, so it is a file of its own that is loaded last. */
export function scalesOf({ columns, sums, least, isWhole, top, base, width, roomFor }: Asked) {
  const figure = scaleLinear()
    .domain([0, Math.max(least, ...sums)])
    .nice(lines)
    .range([base, top]);
  const marks = figure.ticks(lines).filter((mark) => !isWhole || Number.isInteger(mark));
  const left = roomFor(marks);
  const room = Math.max(1, width - left) / Math.max(1, columns.length);
  const space = Math.max(0.2, 1 - widestColumn / room);
  const column = scaleBand<string>()
    .domain(columns)
    .range([left, Math.max(left, width)])
    .paddingInner(space)
    .paddingOuter(space / 2);
  return { figure, marks, left, column };
}
