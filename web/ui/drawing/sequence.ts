import { type Drawing, headOf, linesAt, type Part, type Shape } from './drawing.ts';
import { labelWidth, lineHeight, linesWithin, nameWidth } from './letters.ts';

/** A message from one who takes part to another, or to itself; without both it is a remark. */
export interface Step {
  readonly from: string | null;
  readonly to: string | null;
  readonly label: string;
  /** An answer, or what is sent without being asked for. */
  readonly isReply: boolean;
}

const margin = 8;
const headHeight = 34;
const widest = 660;
const loop = 26;
const between = 10;

/** The middles of the lifelines: as near as their names allow, as far as a page gives room. */
function lanesOf(names: ReadonlyMap<string, string>) {
  const most = Math.max(...[...names.values()].map((name) => nameWidth(name) + 24));
  const gap = Math.min(230, Math.max(most + 16, (widest - most) / Math.max(1, names.size - 1)));
  const first = margin + most / 2;
  const xs = new Map([...names.keys()].map((id, at) => [id, Math.round(first + at * gap)]));
  return { xs, gap, width: Math.round(first * 2 + gap * (names.size - 1)), box: most };
}

type Lanes = ReturnType<typeof lanesOf>;

const ground = (lines: readonly string[], x: number, top: number): Shape => {
  const width = Math.max(...lines.map(labelWidth)) + 4;
  return {
    tag: 'rect',
    attributes: { x: x - width / 2, y: top, width, height: lines.length * lineHeight },
  };
};

/** A message to oneself: a loop beside the lifeline, with its text on the side that has room. */
function loopOf({ from, label }: Step & { from: string }, top: number, { xs, gap, width }: Lanes) {
  const x = xs.get(from) ?? 0;
  const isLast = x + gap > width;
  const side = isLast ? -1 : 1;
  const lines = linesWithin(label, gap - loop - 24);
  const text = Math.max(...lines.map(labelWidth));
  const height = Math.max(lines.length * lineHeight, 24);
  const middle = x + side * (loop + 8 + text / 2);
  const d = `M${x} ${top + 4}h${side * loop}v${height - 8}h${-side * (loop - 7)}`;
  const shapes: Shape[] = [
    { tag: 'path', attributes: { d } },
    headOf({ x, y: top + height - 4 }, isLast ? 'right' : 'left'),
    ground(lines, middle, top + (height - lines.length * lineHeight) / 2),
    ...linesAt(lines, {
      x: middle,
      top: top + (height - lines.length * lineHeight) / 2,
      height: lineHeight,
    }),
  ];
  return { shapes, height };
}

function messageOf(
  { from, to, label, isReply }: Step & { from: string; to: string },
  top: number,
  { xs }: Lanes,
) {
  const [start, end] = [xs.get(from) ?? 0, xs.get(to) ?? 0];
  const way = end > start ? 1 : -1;
  const middle = (start + end) / 2;
  const lines = linesWithin(label, Math.abs(end - start) - 24);
  const y = top + lines.length * lineHeight + 5;
  const line = { d: `M${start} ${y}H${end - way * 7}`, ...(isReply && { class: 'is-reply' }) };
  const shapes: Shape[] = [
    ground(lines, middle, top),
    ...linesAt(lines, { x: middle, top, height: lineHeight }),
    { tag: 'path', attributes: line },
    headOf({ x: end, y }, way > 0 ? 'right' : 'left'),
  ];
  return { shapes, height: y - top + 4 };
}

function remarkOf({ label }: Step, top: number, { width }: Lanes) {
  const lines = linesWithin(label, width - 4 * margin);
  const height = lines.length * lineHeight + 8;
  const frame = { x: margin, y: top, width: width - 2 * margin, height, rx: 6 };
  const text = linesAt(lines, { x: width / 2, top: top + 4, height: lineHeight });
  return { shapes: [{ tag: 'rect', attributes: frame } as const, ...text], height };
}

const headsOf = (names: ReadonlyMap<string, string>, { xs, box }: Lanes): Part[] =>
  [...names].map(([id, name]) => {
    const x = xs.get(id) ?? 0;
    const frame = { x: x - box / 2, y: margin, width: box, height: headHeight, rx: 8 };
    return {
      kind: 'box',
      from: id,
      shapes: [
        { tag: 'rect', attributes: frame },
        ...linesAt([name], { x, top: margin + 8, height: 18 }),
      ],
    };
  });

/** Draws the participants side by side, and the messages between them from top to bottom. */
export function drawSequence(names: ReadonlyMap<string, string>, steps: readonly Step[]): Drawing {
  const lanes = lanesOf(names);
  let top = margin + headHeight + 14;
  const parts = steps.map((step): Part => {
    const { from, to } = step;
    const isRemark = from === null || to === null;
    const { shapes, height } = isRemark
      ? remarkOf(step, top, lanes)
      : from === to
        ? loopOf({ ...step, from }, top, lanes)
        : messageOf({ ...step, from, to }, top, lanes);
    top += height + between;
    return { kind: isRemark ? 'note' : 'arrow', from: from ?? '', ...(to && { to }), shapes };
  });
  const lines = [...lanes.xs].map(([id, x]): Part => {
    const d = `M${x} ${margin + headHeight}V${top}`;
    return { kind: 'lifeline', from: id, shapes: [{ tag: 'path', attributes: { d } }] };
  });
  const nameOf = (id: string) => names.get(id) ?? id;
  return {
    width: lanes.width,
    height: top + margin,
    parts: [...lines, ...headsOf(names, lanes), ...parts],
    told: steps.map(({ from, to, label }, at) => ({
      key: `${at + 1}`,
      head:
        from === null || to === null
          ? 'Note'
          : from === to
            ? nameOf(from)
            : `${nameOf(from)} to ${nameOf(to)}`,
      lines: [label],
    })),
  };
}
