/** A graph as rows of boxes: which box stands in which row, and in which order. */

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** The edge's label, line by line. */
  readonly lines: readonly string[];
}

/** A node, an edge's label, or the place where a long edge passes a row. */
export interface Box {
  readonly key: string;
  readonly width: number;
  readonly height: number;
  /** Boxes of the row above and below that an edge joins it to. */
  readonly above: Box[];
  readonly below: Box[];
}

/** An edge from its upper to its lower end. One that goes up again is `turned`. */
export interface Route {
  readonly edge: Edge;
  readonly turned: boolean;
  readonly boxes: readonly Box[];
}

/** Edges that close a circle go up; all others go down. */
function turnedEdges(nodes: readonly string[], edges: readonly Edge[]): ReadonlySet<Edge> {
  const turned = new Set<Edge>();
  const done = new Set<string>();
  const visit = (node: string, above: ReadonlySet<string>): void => {
    const here = new Set([...above, node]);
    for (const edge of edges.filter(({ from }) => from === node)) {
      if (here.has(edge.to)) turned.add(edge);
      else if (!done.has(edge.to)) visit(edge.to, here);
    }
    done.add(node);
  };
  for (const node of nodes) if (!done.has(node)) visit(node, new Set());
  return turned;
}

interface Ends {
  readonly edge: Edge;
  readonly turned: boolean;
  readonly upper: string;
  readonly lower: string;
}

/** Every node as deep as the longest way to it. */
function depthsOf(nodes: readonly string[], ends: readonly Ends[]): ReadonlyMap<string, number> {
  const depths = new Map(nodes.map((node) => [node, 0]));
  const depth = (node: string) => depths.get(node) ?? 0;
  for (const _ of nodes)
    for (const { upper, lower } of ends)
      depths.set(lower, Math.max(depth(lower), depth(upper) + 1));
  return depths;
}

/** Crossings of the edges between one row and the next. */
function crossings(rows: readonly (readonly Box[])[]): number {
  let count = 0;
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1] ?? [];
    const lines = row.flatMap((box, at) => box.below.map((to) => [at, next.indexOf(to)] as const));
    for (const [place, [a, b]] of lines.entries())
      for (const [c, d] of lines.slice(place + 1)) if ((a - c) * (b - d) < 0) count += 1;
  }
  return count;
}

const sweeps = 12;

/** Sorts each row by the middle of its neighbours, down and up, and keeps the order that crosses least. */
function untangle(rows: Box[][]): Box[][] {
  let best = rows.map((row) => [...row]);
  let fewest = crossings(best);
  const sort = (row: Box[], beside: readonly Box[], side: 'above' | 'below') => {
    const middles = new Map(
      row.map((box, at) => {
        const places = box[side].map((other) => beside.indexOf(other));
        const sum = places.reduce((one, two) => one + two, 0);
        return [box, places.length > 0 ? sum / places.length : at];
      }),
    );
    row.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0));
  };
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (const at of isDown ? rows.keys() : [...rows.keys()].reverse()) {
      const [row, beside] = [rows[at], rows[isDown ? at - 1 : at + 1]];
      if (row && beside) sort(row, beside, isDown ? 'above' : 'below');
    }
    const now = crossings(rows);
    if (now < fewest) [best, fewest] = [rows.map((row) => [...row]), now];
  }
  return best;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const lane = { width: 8, height: 0 };

/** Nodes in even rows, labels in the rows between them. */
export function layersOf(
  sizes: ReadonlyMap<string, Size>,
  edges: readonly Edge[],
  labelSize: (lines: readonly string[]) => Size,
) {
  const nodes = [...sizes.keys()];
  const turned = turnedEdges(nodes, edges);
  const ends = edges.map((edge): Ends => {
    const isTurned = turned.has(edge);
    const [upper, lower] = isTurned ? [edge.to, edge.from] : [edge.from, edge.to];
    return { edge, turned: isTurned, upper, lower };
  });
  const depths = depthsOf(nodes, ends);
  const rows: Box[][] = [];
  const put = (row: number, key: string, size: Size): Box => {
    const box: Box = { key, ...size, above: [], below: [] };
    rows[row] ??= [];
    rows[row].push(box);
    return box;
  };
  const rowOf = (node: string) => 2 * (depths.get(node) ?? 0);
  const boxes = new Map([...sizes].map(([node, size]) => [node, put(rowOf(node), node, size)]));
  const routes = ends.map(({ edge, turned: isTurned, upper, lower }): Route => {
    const path = [boxes.get(upper)];
    for (let row = rowOf(upper) + 1; row < rowOf(lower); row += 1) {
      const size = row === rowOf(upper) + 1 ? labelSize(edge.lines) : lane;
      path.push(put(row, `${edge.from} ${edge.to} ${row}`, size));
    }
    path.push(boxes.get(lower));
    const known = path.filter((box) => box !== undefined);
    for (const [at, box] of known.entries()) {
      const next = known[at + 1];
      if (!next) continue;
      box.below.push(next);
      next.above.push(box);
    }
    return { edge, turned: isTurned, boxes: known };
  });
  return { rows: untangle(Array.from(rows, (row) => row ?? [])), routes };
}
