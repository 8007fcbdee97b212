import { type Drawing, headOf, linesAt, type Part, type Told } from './drawing.ts';
import type { Edge } from './layers.ts';
import { layout, type PlacedEdge, type Rectangle } from './layout.ts';
import { labelWidth, lineHeight, linesWithin, nameWidth } from './letters.ts';

/** One thing that leads from a box to a box, or stays at it. */
export interface Move {
  readonly from: string;
  readonly to: string;
  /** Empty: the arrow says nothing. */
  readonly label: string;
  /** The same in the words beside the drawing, where they say more. */
  readonly said?: string;
}

export interface Node {
  readonly id: string;
  /** One line or several. */
  readonly name: readonly string[];
  readonly look?: Part['look'];
}

const nameHeight = 18;
const labelMost = 122;
const noteMost = 150;

/** One edge for all moves from one box to another. */
function edgesOf(moves: readonly Move[]): Edge[] {
  const edges = new Map<string, Edge & { lines: string[] }>();
  for (const { from, to, label } of moves) {
    if (from === to) continue;
    const edge = edges.get(`${from} ${to}`) ?? { from, to, lines: [] };
    if (label !== '')
      edge.lines.push(...label.split('\n').flatMap((line) => linesWithin(line, labelMost)));
    edges.set(`${from} ${to}`, edge);
  }
  return [...edges.values()];
}

/** The moves that stay at a box, in lines below its name. */
function notesOf({ id }: Node, moves: readonly Move[]): string[] {
  const staying = moves.filter(({ from, to }) => from === id && to === id);
  if (staying.length === 0) return [];
  return linesWithin(`stays: ${staying.map(({ label }) => label).join(', ')}`, noteMost);
}

const sizeOf = ({ look, name }: Node, notes: readonly string[]) =>
  look === 'start'
    ? { width: 14, height: 14 }
    : {
        width: Math.max(
          84,
          ...name.map(nameWidth).map((width) => width + 24),
          ...notes.map((line) => labelWidth(line) + 16),
        ),
        height: 16 + name.length * nameHeight + notes.length * lineHeight,
      };

function boxOf({ id, look, name }: Node, notes: readonly string[], place: Rectangle): Part {
  const { x, y, width, height } = place;
  if (look === 'start')
    return {
      kind: 'box',
      look,
      from: id,
      shapes: [{ tag: 'circle', attributes: { cx: x, cy: y, r: width / 2 } }],
    };
  const top = y - height / 2;
  const frame = {
    x: x - width / 2,
    y: top,
    width,
    height,
    rx: look === 'end' ? Math.min(20, height / 2) : 8,
  };
  const below = top + 8 + name.length * nameHeight;
  return {
    kind: 'box',
    ...(look && { look }),
    from: id,
    shapes: [
      { tag: 'rect', attributes: frame },
      ...linesAt(name, { x, top: top + 8, height: nameHeight }),
      ...linesAt(notes, { x, top: below, height: lineHeight }).map((shape) => ({
        ...shape,
        attributes: { ...shape.attributes, class: 'drawing-small' },
      })),
    ],
  };
}

function arrowOf({ edge, path, tip, label }: PlacedEdge): Part {
  const { x, y, width, height } = label;
  const [left, top] = [x - width / 2, y - height / 2];
  const ground = { tag: 'rect', attributes: { x: left, y: top, width, height } } as const;
  const text = linesAt(edge.lines, { x, top: top + 1, height: lineHeight });
  return {
    kind: 'arrow',
    from: edge.from,
    to: edge.to,
    shapes: [
      { tag: 'path', attributes: { d: path } },
      headOf(tip, tip.up ? 'up' : 'down'),
      ...(text.length > 0 ? [ground, ...text] : []),
    ],
  };
}

/** Each box with the moves from it. */
function toldOf(nodes: readonly Node[], moves: readonly Move[]): Told[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name.join(' ')]));
  return nodes
    .map(({ id }) => ({
      key: id,
      head: names.get(id) ?? id,
      lines: moves
        .filter(({ from }) => from === id)
        .map(({ from, to, label, said = label.replaceAll('\n', ' ') }) => {
          const target = from === to ? 'stays' : `to ${names.get(to) ?? to}`;
          return said === '' ? target : `${said}: ${target}`;
        }),
    }))
    .filter(
      ({ key, lines }) => lines.length > 0 || nodes.find(({ id }) => id === key)?.look !== 'start',
    );
}

/** Boxes and the moves between them, from top to bottom. */
export function drawGraph(nodes: readonly Node[], moves: readonly Move[]): Drawing {
  const notes = new Map(nodes.map((node) => [node.id, notesOf(node, moves)]));
  const sizes = new Map(nodes.map((node) => [node.id, sizeOf(node, notes.get(node.id) ?? [])]));
  const placed = layout(sizes, edgesOf(moves));
  const boxes = nodes.flatMap((node) => {
    const place = placed.nodes.get(node.id);
    return place ? [boxOf(node, notes.get(node.id) ?? [], place)] : [];
  });
  return {
    width: Math.ceil(placed.width),
    height: Math.ceil(placed.height),
    parts: [...placed.edges.map(arrowOf), ...boxes],
    told: toldOf(nodes, moves),
  };
}
