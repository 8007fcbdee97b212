import { arrowHead } from './drawing.ts';
import { type Box, type Edge, layersOf } from './layers.ts';
import { labelWidth, lineHeight } from './letters.ts';

/** The places of all parts of a drawn graph. */

export interface Rectangle {
  /** The horizontal middle; y is the vertical one. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly edge: Edge;
  /** The line as SVG has it; it ends at the tip of the arrow. */
  readonly path: string;
  /** The tip of the arrow, and whether it points up. */
  readonly tip: { readonly x: number; readonly y: number; readonly up: boolean };
  readonly label: Rectangle;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: ReadonlyMap<string, Rectangle>;
  readonly edges: readonly PlacedEdge[];
}

const gapBeside = 14;
const gapBetween = 22;
const margin = 8;
const passes = 40;

const labelSize = (lines: readonly string[]) => ({
  width: Math.max(0, ...lines.map(labelWidth)) + 8,
  height: lines.length * lineHeight + 2,
});

const middle = (boxes: readonly Box[], xs: ReadonlyMap<Box, number>) =>
  boxes.reduce((sum, box) => sum + (xs.get(box) ?? 0), 0) / boxes.length;

/** Moves a row to where its neighbours want it, in its order and without overlaps. */
function settle(row: readonly Box[], xs: Map<Box, number>, side: 'above' | 'below'): void {
  const wanted = row.map((box) =>
    box[side].length > 0 ? middle(box[side], xs) : (xs.get(box) ?? 0),
  );
  const apart = (at: number) => ((row[at]?.width ?? 0) + (row[at + 1]?.width ?? 0)) / 2 + gapBeside;
  const left = [...wanted];
  for (let at = 1; at < row.length; at += 1)
    left[at] = Math.max(left[at] ?? 0, (left[at - 1] ?? 0) + apart(at - 1));
  const right = [...wanted];
  for (let at = row.length - 2; at >= 0; at -= 1)
    right[at] = Math.min(right[at] ?? 0, (right[at + 1] ?? 0) - apart(at));
  for (const [at, box] of row.entries()) xs.set(box, ((left[at] ?? 0) + (right[at] ?? 0)) / 2);
}

function columnsOf(rows: readonly (readonly Box[])[]): ReadonlyMap<Box, number> {
  const xs = new Map<Box, number>();
  for (const row of rows) {
    let at = 0;
    for (const box of row) {
      xs.set(box, at + box.width / 2);
      at += box.width + gapBeside;
    }
  }
  for (let pass = 0; pass < passes; pass += 1) {
    for (const row of rows) settle(row, xs, 'above');
    for (const row of [...rows].reverse()) settle(row, xs, 'below');
  }
  const start = Math.min(...[...xs].map(([box, x]) => x - box.width / 2)) - margin;
  return new Map([...xs].map(([box, x]) => [box, Math.round(x - start)]));
}

/** The row of each box, from top to bottom. */
function bandsOf(rows: readonly (readonly Box[])[]) {
  const bands = new Map<Box, { readonly top: number; readonly bottom: number }>();
  let top = margin;
  for (const row of rows) {
    const height = Math.max(0, ...row.map((box) => box.height));
    for (const box of row) bands.set(box, { top, bottom: top + height });
    top += height + gapBetween;
  }
  return { bands, height: top - gapBetween + margin };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Straight down through each row, curved between them: no line is behind another's text. */
const curve = ([first, ...others]: readonly Point[]): string => {
  let { x, y } = first ?? { x: 0, y: 0 };
  const parts = [`M${x} ${y}`];
  for (const next of others) {
    const half = (y + next.y) / 2;
    parts.push(next.x === x ? `V${next.y}` : `C${x} ${half} ${next.x} ${half} ${next.x} ${next.y}`);
    ({ x, y } = next);
  }
  return parts.join(' ');
};

/**
 * The x at which an edge leaves a node: the edges of one side stand in the order of their other
 * ends.
 */
function portOf(
  node: Box,
  side: 'above' | 'below',
  to: Box | undefined,
  xs: ReadonlyMap<Box, number>,
): number {
  const sorted = node[side].toSorted((a, b) => (xs.get(a) ?? 0) - (xs.get(b) ?? 0));
  const step = Math.min(16, (node.width - 20) / sorted.length);
  const at = to ? sorted.indexOf(to) : 0;
  return (xs.get(node) ?? 0) + (at - (sorted.length - 1) / 2) * step;
}

/** Lays a graph of boxes out from top to bottom. */
export function layout(
  sizes: ReadonlyMap<string, { readonly width: number; readonly height: number }>,
  edges: readonly Edge[],
): Layout {
  const { rows, routes } = layersOf(sizes, edges, labelSize);
  const xs = columnsOf(rows);
  const { bands, height } = bandsOf(rows);
  const bandOf = (box: Box) => bands.get(box) ?? { top: 0, bottom: 0 };
  const placed = (box: Box): Rectangle => ({
    x: xs.get(box) ?? 0,
    y: (bandOf(box).top + bandOf(box).bottom) / 2,
    width: box.width,
    height: box.height,
  });
  const drawn = routes.flatMap(({ edge, turned, boxes }): PlacedEdge[] => {
    const [upper, label, lower] = [boxes[0], boxes[1], boxes.at(-1)];
    if (!upper || !label || !lower) return [];
    const [from, to] = [placed(upper), placed(lower)];
    const start = { x: portOf(upper, 'below', label, xs), y: from.y + from.height / 2 };
    const target = { x: portOf(lower, 'above', boxes.at(-2), xs), y: to.y - to.height / 2 };
    const inside = boxes.slice(1, -1).flatMap((box) => {
      const { x } = placed(box);
      const { top: y, bottom: end } = bandOf(box);
      return [
        { x, y },
        { x, y: end },
      ];
    });
    const top = turned ? { ...start, y: start.y + arrowHead } : start;
    const bottom = turned ? target : { ...target, y: target.y - arrowHead };
    const tip = turned ? { ...start, up: true } : { ...target, up: false };
    return [{ edge, path: curve([top, ...inside, bottom]), tip, label: placed(label) }];
  });
  const named = rows.flat().filter(({ key }) => sizes.has(key));
  return {
    width: Math.max(...[...xs].map(([box, x]) => x + box.width / 2)) + margin,
    height,
    nodes: new Map(named.map((box) => [box.key, placed(box)])),
    edges: drawn,
  };
}
